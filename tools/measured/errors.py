"""How far predictions are from what was measured."""
import statistics


def percent(predicted, measured):
    return 100 * (predicted - measured) / measured


def mean_abs(values):
    return statistics.mean(map(abs, values))


def noise(repeats):
    """Mean distance of a repeat from the mean of its group, in percent of that mean; groups of one say nothing. None: no group does."""
    distances = [abs(percent(value, statistics.mean(group))) for group in repeats if len(group) > 1 for value in group]
    return statistics.mean(distances) if distances else None


def spread_out(values, count, salt):
    """So many of the sorted values, evenly over all of them, in an order that no two tasks of a wave share."""
    golden = 0.6180339887498949
    return [values[int(((i + salt) * golden) % 1 * len(values))] for i in range(count)]

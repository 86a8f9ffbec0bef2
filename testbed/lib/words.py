"""Prints lines of made-up words whose frequencies fall like 1/rank (Zipf), the same for the same seed."""
import argparse
import bisect
import itertools
import random
import sys


def vocabulary(rng, size):
    syllables = [c + v for c in "bcdfghklmnprstvw" for v in "aeiou"]
    return ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(size)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vocabulary", type=int, default=20000)
    args = parser.parse_args()

    rng = random.Random(args.seed)
    words = vocabulary(rng, args.vocabulary)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))
    # One megabyte is drawn; the others reuse its lines in another order, which is much faster.
    lines, drawn = [], 0
    while drawn < 1 << 20:
        line = " ".join(words[bisect.bisect(weights, rng.random() * weights[-1])] for _ in range(12)) + "\n"
        lines.append(line)
        drawn += len(line)
    left = args.megabytes << 20
    while left > 0:
        rng.shuffle(lines)
        block = "".join(lines)[:left]
        sys.stdout.write(block)
        left -= len(block)


if __name__ == "__main__":
    main()

"""Settings in the text of a TOML file, changed where they stand."""
import re


def changed(text, values, name="the file"):
    """Each key has one line, in whichever table; ValueError where it has none or several."""
    for key, value in values.items():
        text, times = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
        if times != 1:
            raise ValueError(f"{name} has {times} lines of {key}")
    return text


def added(text, table, values):
    """Keys at the top of a table, which is made at the end where there is none."""
    lines = "".join(f"{key} = {value}\n" for key, value in values.items())
    head = f"[{table}]\n"
    return text.replace(head, head + lines) if head in text else f"{text}\n{head}{lines}"

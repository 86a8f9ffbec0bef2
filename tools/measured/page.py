"""A page in Markdown: tables, sections that are measured anew one by one, and a drawing beside it."""
import os
import re


def line(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(columns, rows):
    """The lines of a table."""
    return [line(columns), "|" + "---|" * len(columns), *map(line, rows)]


def by_heading(text):
    """The page's sections by their headings, in order; what stands before the first is under ''."""
    sections = {}
    for piece in re.split(r"(?m)^(?=## )", text):
        heading = piece.split("\n")[0] if piece.startswith("## ") else ""
        sections[heading] = piece.strip() + "\n"
    return sections


def replaced(page, measured, stamp):
    """The page with the sections that were measured now, each stamped; others stay as they were."""
    sections = by_heading(page)
    for heading, text in by_heading(measured).items():
        if heading:
            sections[heading] = text + "\n" + stamp + "\n"
    return "\n".join(sections.values())


def write(path, text, drawing, brief):
    """The page and its drawing, where a path was named; on the screen all of it, or what stands before `brief`."""
    if path:
        path.write_text(text)
        path.with_suffix(".svg").write_text(drawing)
    print(text if os.isatty(1) or not path else text.split(brief)[0])

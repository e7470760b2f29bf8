"""Times against the size of the list, drawn as SVG by hand: both axes logarithmic, a panel for each thing measured.

It has no background, and only colours that can be read on white and on black.
"""
import math

WIDTH, HEIGHT, MARGIN, GAP, TOP = 264, 220, 60, 44, 64
INK, FAINT = "#767c84", "#767c8440"
COLORS = ["#2f81f7", "#8b8f94", "#d9822b", "#3fa35b", "#b65fc9"]
FONT = "font-family='system-ui, sans-serif' font-size='12'"


def svg(panels):
    """`panels` are pairs of a title and, for each program, pairs of a size and seconds or None."""
    points = [(size, seconds) for _, lines in panels for line in lines.values() for size, seconds in line if seconds]
    sizes = sorted({size for size, _ in points})
    decades = range(
        math.floor(math.log10(min(seconds for _, seconds in points) * 1000)),
        math.ceil(math.log10(max(seconds for _, seconds in points) * 1000)) + 1)
    scale = Scale(sizes, decades)
    width = MARGIN + len(panels) * (WIDTH + GAP) + 16
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {TOP + HEIGHT + 48}' {FONT} fill='{INK}'>",
        "<title>Medians of times against the number of items</title>"]
    for number, name in enumerate(panels[0][1]):
        x = MARGIN + number * 130
        parts.append(f"<path d='M{x} 14h24' stroke='{COLORS[number % len(COLORS)]}' stroke-width='2.5'/>")
        parts.append(text(x + 30, 18, name))
    for number, (title, lines) in enumerate(panels):
        parts += panel(MARGIN + number * (WIDTH + GAP), title, lines, scale, number == 0)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


class Scale:
    def __init__(self, sizes, decades):
        self.sizes, self.decades = sizes, decades

    def x(self, size):
        low, high = math.log10(self.sizes[0]), math.log10(self.sizes[-1])
        return WIDTH * (math.log10(size) - low) / ((high - low) or 1)

    def y(self, milliseconds):
        low, high = self.decades[0], self.decades[-1]
        return TOP + HEIGHT * (1 - (math.log10(milliseconds) - low) / ((high - low) or 1))


def panel(left, title, lines, scale, is_first):
    parts = [text(left, TOP - 14, title, "font-weight='600'")]
    for decade in scale.decades:
        y = scale.y(10 ** decade)
        parts.append(f"<path d='M{left} {y:.1f}h{WIDTH}' stroke='{FAINT}'/>")
        if is_first:
            parts.append(text(left - 8, y + 4, duration(decade), "text-anchor='end'"))
    for size in scale.sizes:
        parts.append(text(left + scale.x(size), TOP + HEIGHT + 20, short(size), "text-anchor='middle'"))
    parts.append(text(left + WIDTH / 2, TOP + HEIGHT + 38, "items", "text-anchor='middle'"))
    for number, line in enumerate(lines.values()):
        color = COLORS[number % len(COLORS)]
        places = [(left + scale.x(size), scale.y(seconds * 1000)) for size, seconds in line if seconds]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f"<polyline points='{path}' fill='none' stroke='{color}' stroke-width='2.5'/>")
        parts += [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' fill='{color}'/>" for x, y in places]
    return parts


def duration(decade):
    return f"{10 ** decade:g} ms" if decade < 3 else f"{10 ** (decade - 3)} s"


def short(size):
    return f"{size // 1_000_000} M" if size >= 1_000_000 else f"{size // 1_000}k"


def text(x, y, words, more=""):
    return f"<text x='{x:.1f}' y='{y:.1f}' {more}>{words}</text>"

"""A drawing of pairs, predicted over measured, with the line where both are equal and a band around it. SVG."""
import html
import math

SIZE, EDGE = 520, 60


class Scatter:
    def __init__(self, low, high, band, step):
        """Both axes go from low to high, with a tick each `step`; the band is the part that a point may be off."""
        self.low, self.high = low, high
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif" font-size="12">',
                      f'<rect width="{SIZE}" height="{SIZE}" fill="white"/>']
        self.legends = 0
        self._band(band)
        self.parts.append(f'<line x1="{self.x(low):.1f}" y1="{self.y(low):.1f}" x2="{self.x(high):.1f}" y2="{self.y(high):.1f}" stroke="#888"/>')
        for tick in range(math.ceil(low / step) * step, int(high) + 1, step):
            self.parts += [f'<text x="{self.x(tick):.0f}" y="{SIZE - EDGE + 18}" text-anchor="middle" fill="#555">{tick} s</text>',
                           f'<text x="{EDGE - 8}" y="{self.y(tick) + 4:.0f}" text-anchor="end" fill="#555">{tick} s</text>']

    def x(self, value):
        return EDGE + (value - self.low) / (self.high - self.low) * (SIZE - EDGE - 20)

    def y(self, value):
        return SIZE - EDGE - (value - self.low) / (self.high - self.low) * (SIZE - EDGE - 20)

    def _band(self, band):
        low, high, above, below = self.low, self.high, 1 + band, 1 - band
        corners = [(low, above * low), (high / above, high), (high, high), (high, below * high), (low / below, low), (low, low)]
        points = dict.fromkeys(f"{self.x(across):.1f},{self.y(up):.1f}" for across, up in corners)  # at 0 some are one
        self.parts.append(f'<polygon points="{" ".join(points)}" fill="#eef3f8"/>')

    def whisker(self, measured, low, high, colour):
        self.parts.append(f'<line x1="{self.x(measured):.1f}" x2="{self.x(measured):.1f}" y1="{self.y(low):.1f}" y2="{self.y(high):.1f}" '
                          f'stroke="{colour}" opacity="0.25"/>')

    def point(self, measured, predicted, colour, title, opacity=0.7):
        self.parts.append(f'<circle cx="{self.x(measured):.1f}" cy="{self.y(predicted):.1f}" r="3.5" fill="{colour}" opacity="{opacity}">'
                          f"<title>{html.escape(title)}</title></circle>")

    def legend(self, text, colour):
        at = 30 + 18 * self.legends
        self.legends += 1
        self.parts += [f'<circle cx="{EDGE + 14}" cy="{at}" r="4" fill="{colour}"/>', f'<text x="{EDGE + 24}" y="{at + 4}">{html.escape(text)}</text>']

    def svg(self, across, up):
        """The drawing, with a text along each axis."""
        ends = [f'<text x="{SIZE / 2:.0f}" y="{SIZE - 16}" text-anchor="middle">{html.escape(across)}</text>',
                f'<text x="16" y="{SIZE / 2:.0f}" text-anchor="middle" transform="rotate(-90 16 {SIZE / 2:.0f})">{html.escape(up)}</text>', "</svg>"]
        return "\n".join(self.parts + ends) + "\n"

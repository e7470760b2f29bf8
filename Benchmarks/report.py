"""What was measured, as a table and as a picture."""
import datetime, os, re
import picture
from programs import ALL, DONE, FIRST, LETTER, OTHERS, SCROLLING, SEARCHING, SORT, TAG, VIEW, WINDOW

STEPS = [WINDOW, SCROLLING, LETTER, FIRST, SEARCHING, TAG, DONE, VIEW, SORT, ALL]
MILLISECOND, MEGABYTE = 0.001, 1 << 20


class Run:
    def __init__(self, rounds, others):
        self.rounds, self.others = rounds, others
        self.load_before = self.load_after = os.getloadavg()[0]
        self.sizes = {}

    def add(self, count, results):
        self.sizes[count] = results

    # The table

    def markdown(self):
        missing = [name for name in OTHERS if name not in self.others]
        lines = [
            "# What Sheaf costs on a terminal", "",
            f"{processor()}, {os.cpu_count()} cores, {datetime.date.today()}. Made by `make bench`.", "",
            "A time goes from the key, or from `exec`, to the last byte that the program writes for it on a terminal "
            "of 120 by 40, as median / 99th percentile; after it, the bytes. The *bare C list* holds the same names "
            "in memory and draws the same panes by ncurses, without a store, an index or undo; it and `tig`, `fzf` and "
            "`calcurse` read a file of names. *Loaded* is when the program first had nothing to do; Sheaf's backup of the day had been made before. "
            f"Each program was started {2 * self.rounds} times, in turns with the others, as if for the first time; "
            "“–” is no answer.", "",
            f"Load of the machine, this included: {self.load_before:.1f} before, {self.load_after:.1f} after. Well "
            "above 1, something else ran and the times are too long: the ratio to the bare list is what counts then.", "",
        ]
        if missing:
            lines += [f"Not installed, and so not measured: {', '.join(missing)}.", ""]
        for count, results in self.sizes.items():
            lines += self.table(count, results)
        return "\n".join(lines + self.budgets() + self.constant()) + "\n"

    def table(self, count, results):
        names = list(results)
        lines = [
            f"## {count:,} items", "", f"| | {' | '.join(names)} | Sheaf : bare C |",
            "|---|" + "--:|" * (len(names) + 1)]
        rows = [("first frame", lambda result: result.first_frame), ("loaded", lambda result: result.loaded)]
        rows += [(name, lambda result, name=name: result.steps.get(name)) for name in STEPS]
        for name, figures in rows:
            cells = [cell(figures(result)) for result in results.values()]
            if set(cells) == {"–"}:
                continue
            lines.append(f"| {name} | {' | '.join(cells)} | {ratio(*map(figures, list(results.values())[:2]))} |")
        memory = [f"{result.memory / MEGABYTE:.0f} MB" if result.memory else "–" for result in results.values()]
        lines.append(f"| memory | {' | '.join(memory)} | |")
        lines.append("")
        for name, result in results.items():
            if result.failure:
                lines += [f"{name}: {result.failure}", ""]
        return lines

    # The budgets

    def budgets(self):
        head = ["## Budgets", "", "| what | budget | measured | |", "|---|--:|--:|---|"]
        lines = []
        for count, results in self.sizes.items():
            mine, bare = results["Sheaf"], results["bare C list"]
            for name in (WINDOW, SCROLLING):
                for percent in (50, 99):
                    times = [result.steps[name].time(percent) for result in (mine, bare) if name in result.steps]
                    lines.append(limit(f"{name} at {count:,}, p{percent}, to bare C", 1.5, quotient(*times), "×"))
                sizes = [result.steps[name].bytes() for result in (mine, bare) if name in result.steps]
                lines.append(limit(f"{name} at {count:,}, bytes, to bare C", 1.5, quotient(*sizes), "×"))
            for name, percent, size, most in (
                    (LETTER, 99, 1_000_000, 40), (FIRST, 99, 1_000_000, 25), (TAG, 99, 1_000_000, 16),
                    (DONE, 99, 1_000_000, 16), (VIEW, 99, 1_000_000, 16), (SORT, 99, 1_000_000, 100), (ALL, 99, 1_000_000, 400)):
                if size == count and name in mine.steps:
                    time = scaled(mine.steps[name].time(percent))
                    lines.append(limit(f"{name} at {count:,}, p{percent}", most, time, " ms"))
            if count == 1_000_000:
                lines.append(limit(f"first frame at {count:,}", 50, scaled(mine.first_frame.time(50)), " ms"))
            if most := {100_000: 150, 1_000_000: 1_500}.get(count):
                lines.append(limit(f"loaded at {count:,}", most, scaled(mine.loaded.time(50)), " ms"))
            if most := {100_000: 60, 1_000_000: 400}.get(count):
                lines.append(limit(f"memory at {count:,}", most, mine.memory / MEGABYTE or None, " MB"))
        return head + [line for line in lines if line]

    def constant(self):
        """Names the steps that take as long at the largest size as at the smallest: they may measure a timer."""
        if len(self.sizes) < 2:
            return []
        ends = [self.sizes[count]["Sheaf"].steps for count in (min(self.sizes), max(self.sizes))]
        found = []
        for name in STEPS:
            times = [steps[name].time(50) for steps in ends if name in steps and steps[name].times]
            if len(times) == 2 and min(times) > 0.02 and abs(times[1] / times[0] - 1) < 0.05:
                found.append(f"{name} ({words(times[0])} and {words(times[1])} ms)")
        return ["", f"**Suspect**, because the size does not matter: {', '.join(found)}."] if found else []

    # The picture

    def picture(self):
        panels = [
            ("exec to the first frame", lambda result: result.first_frame.time(50)),
            ("a step that scrolls", lambda result: median(result, SCROLLING)),
            ("a letter in the filter", lambda result: median(result, LETTER)),
        ]
        names = list(dict.fromkeys(name for results in self.sizes.values() for name in results))
        return picture.svg([
            (title, {
                name: [(count, figure(results[name])) for count, results in self.sizes.items() if name in results]
                for name in names})
            for title, figure in panels])


def median(result, name):
    return result.steps[name].time(50) if name in result.steps else None


def processor():
    with open("/proc/cpuinfo") as file:
        match = re.search(r"model name\s*: (.*)", file.read())
    return match[1] if match else "unknown processor"


def scaled(seconds):
    return None if seconds is None else seconds / MILLISECOND


def words(seconds):
    milliseconds = seconds / MILLISECOND
    return f"{milliseconds:.2f}" if milliseconds < 10 else f"{milliseconds:,.0f}"


def cell(figures):
    if not figures or not figures.times:
        return "–"
    text = f"{words(figures.time(50))} / {words(figures.time(99))} ms"
    return f"{text}, {figures.bytes()} B" if figures.sizes else text


def ratio(mine, bare):
    if not (mine and bare and mine.times and bare.times):
        return ""
    return " / ".join(f"{quotient(mine.time(percent), bare.time(percent)):.1f}×" for percent in (50, 99))


def quotient(mine=None, other=None):
    return mine / other if mine is not None and other else None


def limit(what, most, value, unit):
    """A row, or nothing for what was not measured."""
    if value is None:
        return ""
    verdict = "holds" if value <= most else f"off by {value / most:.1f}×"
    return f"| {what} | ≤ {most:,}{unit} | {value:,.1f}{unit} | {verdict} |"

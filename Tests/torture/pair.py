"""Two screens on one list that are typed into at once, and what both must have at the end."""
import collections, itertools, json, os, random, re, signal, statistics, time
from screen import Failure, Screen

ROW = re.compile(r"│.*([○✓]) (\S+)(?: ≡)?((?: +[#+]\S+)*)")
SELECTED = re.compile(r"▌ [○✓] (\S+)")
KINDS = ["add", "rename", "rename", "rename", "done", "move", "tag", "tag", "delete", "undo", "redo", "command", "kill"]
EQUAL_BOUND, MEDIAN_BOUND, LONGEST_BOUND = 10, 1, 3  # Seconds; the last two for a single edit on the other screen.


class Pair:
    """Two screens on one list, and what has been typed and knowingly replaced since they were equal."""

    def __init__(self, screens, rng):
        self.screens, self.rng = screens, rng
        self.names, self.tally = map("n{}".format, itertools.count()), collections.Counter()
        self.delays, self.equal = [], []
        self.kinds, self.bound, self.tells_conflicts = KINDS, EQUAL_BOUND, True

    @classmethod
    def on_file(cls, options, rng):
        first = Screen(options.binary, options.backend)
        return cls([first, Screen(options.binary, options.backend, first.folder)], rng)

    def fresh(self):
        for screen in self.screens:
            screen.end()
        self.screens[0].make([next(self.names) for _ in range(4)])
        for screen in self.screens:
            screen.slow = 0
            screen.open()
        self.begin()

    def begin(self):
        """Takes what the list has now for known."""
        items = self.items()
        self.alive = self.ever = self.texts(items)
        self.noted, self.roots = self.alive - {item["name"] for item in items}, {}

    def begin_round(self):
        self.typed, self.replaced, self.steps = set(), set(), []
        self.editors = collections.defaultdict(set)

    def touch(self, who, old, new=None):
        """Remembers who edited an item since all were equal; `new` is another name of it."""
        root = self.roots.setdefault(old, old)
        if new:
            self.roots[new] = root
        self.editors[root].add(who)

    def sheaf(self, *words):
        """A command about the list."""
        return self.screens[0].sheaf(*words, "--store", self.screens[0].store)

    def items(self):
        result = self.sheaf("list", "--format", "json")
        if result.returncode:
            raise Failure(f"the list cannot be opened: {result.stderr}")
        # Empty members are left out.
        return [{"note": "", **item} for item in json.loads(result.stdout)]

    def texts(self, items, names=None):
        """The names, and the texts in notes that yielded to another; of all items or of those with these names."""
        return {text for item in items if names is None or item["name"] in names
                for text in (item["name"], *re.findall("^was: (.*)$", item["note"], re.M))}

    def log(self, who, what):
        name = "AB"[self.screens.index(who)] if who in self.screens else who
        self.steps.append(f"{time.monotonic() % 1000:7.3f} {name}: {what}")

    def keys(self, screen, *keys):
        self.log(screen, " ".join(keys))
        screen.keys(*keys)

    def mode(self, screen, *modes):
        return screen.wait(lambda text: text.splitlines()[-1].split()[0] in modes, f"{modes}", 5)[0]

    def edit(self, screen, kind, row):
        """One edit in three parts, so that others come between them."""
        takes_back = kind in ("delete", "undo", "redo")
        before, items, name = set(screen.names()), self.items() if takes_back else [], next(self.names)
        self.keys(screen, "g", "g", *"j" * row)
        if kind == "rename":
            self.keys(screen, "r")
            # What is open here is what it replaces, whatever others do to the row; if they delete it, it is a new one.
            old = SELECTED.search(self.mode(screen, "RENAME", "ADD"))[1]
            self.replaced.add(old)
            self.touch(screen, old, name)
        yield
        self.keys(screen, *{
            "add": ["a", *name, "Enter"], "kill": ["a", *name, "Enter"], "rename": ["C-u", *name, "Enter"],
            "tag": ["t", self.rng.choice(["red", "green", "blue"]), "Enter"], "move": [self.rng.choice("JK")],
            "done": ["x"], "delete": ["d", "d"], "undo": ["u"], "redo": ["U"]}[kind])
        self.tally["edits"] += 1
        yield
        if kind == "kill":
            return self.kill(screen, name)
        # The row may have got another name since the look at it; what is deleted is told.
        time.sleep(0.05 if kind == "delete" else 0)
        gone = re.findall("Deleted: “(.*?)”", screen.text())
        # Keys are taken in turn: once the filter is open, all before it is done. It is closed before the next.
        self.keys(screen, "/")
        gone = {*gone, *before} - set(screen.names(self.mode(screen, "FIND")))
        self.keys(screen, "C-c")
        self.mode(screen, "ITEMS")
        if takes_back and gone:
            self.log("gone", gone)
            # The list may have the item under the name that it had before.
            roots = {self.roots.get(name, name) for name in gone}
            former = {name for name, root in self.roots.items() if root in roots}
            self.replaced |= gone | self.texts(items + self.items(), gone | former)
            for old in gone:
                self.touch(screen, old)
        self.typed |= {name} if kind in ("add", "rename") else set()

    def kill(self, screen, name):
        """Kills it soon after it was typed, and starts it again."""
        time.sleep(self.rng.random() * 0.4)
        os.kill(screen.process, signal.SIGKILL)
        screen.wait_for_end()
        self.log(screen, "killed")
        self.tally["kills"] += 1
        # Only what had been painted is promised.
        self.typed |= {name} & {*screen.names()}
        self.ever |= {name}
        screen.slow = self.rng.choice([0, 0, 300])
        screen.open(options=f"--slow-writes {screen.slow}ms")

    def command(self, row):
        yield
        name, items = next(self.names), self.items()
        id = items[row % len(items)]["id"]
        words = self.rng.choice([["add", "--literal", name], ["rename", "--literal", id, name], ["done", id]])
        result = self.sheaf(*words)
        self.log("sheaf", f"{' '.join(words)}: {result.stdout}{result.stderr}".strip())
        # The item may just have been deleted. What it replaces is what the list has then, and it says what.
        if result.returncode == 0:
            self.tally["commands"] += 1
            self.typed |= {name} & {*words}
            for old in re.findall("Renamed “(.*?)”", result.stdout):
                self.replaced.add(old)
                self.touch("sheaf", old, name)
        else:
            # It may have been made, and only its answer lost.
            self.ever |= {name} & {*words}

    def step(self):
        """One edit, or one on each screen at the same time."""
        edits, row, is_same = [], self.rng.randrange(99), self.rng.random() < 0.6
        for screen in self.rng.choice([self.screens, self.screens, self.screens[:1], self.screens[1:]]):
            if screen.process is None:
                continue
            count = len(screen.names())
            kind = self.rng.choice(self.kinds) if 3 < count < 25 else "add" if count < 9 else "delete"
            if edits and is_same and count > 3:
                kind = self.rng.choice([kind, "rename", "rename", "delete"])
            edits.append(self.command(row) if kind == "command" else self.edit(screen, kind, row % max(1, count)))
            row = row if is_same else self.rng.randrange(99)
        for _ in itertools.zip_longest(*edits):
            time.sleep(self.rng.choice([0, 0, 0.1, 0.3, 0.6]) * self.rng.random())

    def single(self):
        """An edit while all is quiet: how long until the other screen shows it."""
        screen, other = self.rng.sample(self.screens, 2)
        edit, before = self.edit(screen, self.rng.choice(["add", "rename"]), 0), set(other.names())
        next(edit)
        start = time.monotonic()
        next(edit)
        other.wait(lambda text: set(other.names(text)) - before, "the edit of the other screen", EQUAL_BOUND)
        if not any(screen.slow for screen in self.screens):
            self.delays.append(time.monotonic() - start)
        list(edit)

    def view(self):
        """One screen shows a saved view, and the other deletes that: what is shown stays, and the screen says so."""
        screen, other = self.rng.sample(self.screens, 2)
        self.sheaf("view", "delete", "Agenda")
        if (made := self.sheaf("view", "add", "Open", "is:open")).returncode:
            raise Failure(f"no view: {made.stderr}")
        for one in self.screens:
            one.wait(lambda text: "Open" in text, "the view in the tags pane", EQUAL_BOUND)
        self.keys(screen, "g", "1")
        screen.wait(lambda text: "“Open”" in text, "the view in the header", 5)
        shown = screen.names()
        self.keys(other, "h", "g", "g", "d", "d")
        if "y delete" in other.text():
            self.keys(other, "y")
        screen.wait(lambda text: "“Open” was deleted by another process" in text, "word of the deleted view", EQUAL_BOUND)
        if screen.names() != shown or "is:open" not in screen.text():
            raise Failure(f"the deletion of a view has changed what is shown: {shown}\n{screen.text()}")
        self.keys(other, "l")
        # With the next key right after it, ESC would be Alt.
        self.keys(screen, "Escape")
        screen.wait(lambda text: "is:open" not in text, "all items", 5)
        time.sleep(0.2)
        self.tally["views"] += 1

    def settle(self):
        """Waits until all is saved and equal, and sees that nothing is missing or doubled."""
        start = time.monotonic()
        while True:
            texts = [screen.text() for screen in self.screens]
            found = [map(ROW.search, text.splitlines()) for text in texts]
            shown = [[(m[1] == "✓", m[2], *sorted(m[3].split())) for m in rows if m] for rows in found]
            items = self.items()
            listed = [(i["done"], i["name"], *sorted(f"#{tag}" for tag in i["tags"])) for i in items]
            if shown == [listed, listed] and all("✓ saved" in text for text in texts):
                break
            if time.monotonic() - start > self.bound:
                raise Failure("\n".join([f"not equal after {self.bound} s:", *map(str, shown), f"{listed}", *texts]))
        self.equal.append(time.monotonic() - start)
        names, texts = [item["name"] for item in items], self.texts(items)
        if lost := (self.alive | self.typed) - self.replaced - texts:
            raise Failure(f"lost: {sorted(lost)}; in the list: {items}")
        if len(set(names)) != len(names) or texts - self.ever - self.typed:
            raise Failure(f"doubled, or never typed: {items}")
        noted = {text for item in items for text in re.findall("^was: (.*)$", item["note"], re.M)}
        false = {text for text in noted - self.noted if len(self.editors[self.roots.get(text, text)]) < 2}
        self.tally["names kept without need"] += len(false)
        if false and self.tells_conflicts:
            raise Failure(f"only one edited these, and they are in notes: {sorted(false)}; in the list: {items}")
        self.noted |= noted
        self.tally["texts kept in a note"] += len(texts - {*names} - self.alive)
        self.alive, self.ever = texts, self.ever | self.typed
        self.screens[0].check()

    def checked(self, rounds):
        """What was seen; ends the whole if it was too little to say anything, or too slow."""
        median, longest = statistics.median(self.delays or [0]), max(self.delays, default=0)
        floors = {"edits": 3, "commands": 0.1, "kills": 0.1, "texts kept in a note": 0.05}
        text = ", ".join(f"{self.tally[what]} {what}" for what in floors) + (
            f"; equal {max(self.equal):.1f} s after the last edit at most; {len(self.delays)} single edits on "
            f"the other screen after {median:.2f} s (median), {longest:.2f} s at most")
        if len(self.delays) < rounds / 5 or any(self.tally[what] < rounds * least for what, least in floors.items()):
            raise Failure(f"too little was seen: {text}")
        if median > MEDIAN_BOUND or longest > LONGEST_BOUND:
            raise Failure(f"the other screen was too slow: {text}")
        return text

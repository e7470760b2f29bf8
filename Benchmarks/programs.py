"""The programs that are measured: how each is started on a list, and which of its keys do what is measured."""
import dataclasses, os, shutil, subprocess
from pty_session import QUIET

REDRAW = b"\x0c"
DOWN, BACKSPACE, ESCAPE, INTERRUPT = b"\x1b[B", b"\x7f", b"\x1b", b"\x03"
# What is looked up may be drawn in more than one frame: the screen is still after a longer silence.
STILL = 0.15
WINDOW, SCROLLING = "a step in the window", "a step that scrolls"
# Until all of it is sorted, nothing else is typed.
SORTED_ALL = 1.5
# A screenful of other rows has more bytes, and rows in which more letters are marked.
ROWS, MARKED = 1_000, 400
LETTER, TAG, DONE, VIEW = "a letter more or less in `/`", "the next tag", "`H`, done items", "a saved view"
FIRST = "a letter, its first rows"
# Rows and, after them, numbers come in frames of their own, closer than the answers to two keys.
SAME_FRAME = 0.005
# What a step draws is written at once.
NEXT_FRAME = 0.001
SORT, ALL = "a sort, its first rows", "a sort and its last row"
SEARCHING = "a step while a search runs"
# `g1` and `g2`: what they find and how they sort it differs as much as it can.
VIEWS = {"open garden": ["--hide-done", "--sort", "changed", "#garden"], "everything": []}


@dataclasses.dataclass
class Step:
    """Keys that are typed one after the other, again and again, until there were `count`."""
    name: str
    keys: list
    count: int
    before: bytes = b""
    after: bytes = b""
    quiet: float = QUIET
    # What is shorter, such as a word in the status line, is not yet the answer.
    least: int = 1
    # After each key, beside a moment so that no timer is met always.
    pause: float = 0
    # Typed in turns, one before each key, which follows as soon as it is answered.
    first: list = dataclasses.field(default_factory=list)
    # What each key has to show: its answer is the frame with that text. For what comes in several frames.
    shows: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Program:
    name: str
    words: list
    # A regular expression: what the first frame shows.
    first_pattern: str
    steps: list
    quit: bytes
    stdin: str = None
    # What is run once before each start, in the same home.
    prepare: list = None
    environment: dict = dataclasses.field(default_factory=dict)


def moves(down=b"j", up=b"k"):
    return [
        Step(WINDOW, [down] * 20 + [up] * 20, 80),
        # The last row of the window is passed before the first key is measured.
        Step(SCROLLING, [down], 80, before=down * 60),
    ]


GARD = [b"g", b"a", b"r", b"d"] + [BACKSPACE] * 4


def letters(before=b"/", after=ESCAPE):
    return Step(LETTER, GARD, 16, before, after, STILL)


def sheaf(binary, size):
    steps = moves() + [
        letters(),
        Step(FIRST, GARD, 16, b"/", ESCAPE, SAME_FRAME, least=MARKED, pause=STILL),
        Step(TAG, [b"j"] * 8 + [b"k"] * 8, 16, before=b"h", after=b"kl", quiet=STILL),
        Step(DONE, [b"H"], 8, quiet=STILL),
        Step(VIEW, [b"g1", b"g2"], 8, quiet=STILL),
        # An edit before each, or an order of before would be shown again.
        Step(SORT, [b"sn", b"sc"], 8, least=ROWS, pause=SORTED_ALL, first=[b"x"]),
        # The last row is there once all are sorted; it is sent whole, because the screen is drawn anew.
        Step(ALL, [b"snG" + REDRAW, b"scG" + REDRAW], 8, after=b"sm", quiet=STILL, first=[b"x"],
             shows=[size.last("name"), size.last("created")]),
        # What is found meanwhile comes in frames of its own, and soon after.
        Step(SEARCHING, [DOWN], 16, b"/", ESCAPE, NEXT_FRAME, pause=STILL, first=[b"g", b"a", BACKSPACE, BACKSPACE]),
    ]
    # The backup of the day, which the screen makes once it has loaded, is no part of loading.
    backup = [binary, "daily-backup", "--store", size.store]
    return Program("Sheaf", [binary, "--store", size.store], size.pattern, steps, b"q", prepare=backup)


def bare_list(folder, size):
    path = f"{folder}/bare-list"
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bare-list.c")
    # clang comes with Swift.
    subprocess.run(["clang", "-O2", "-o", path, source, "-lncursesw"], check=True)
    return Program("bare C list", [path, size.names], size.pattern, moves() + [letters()], b"q")


def fzf(size):
    return Program(
        "fzf", ["fzf", "--layout=reverse", "--no-mouse"], size.pattern, moves(DOWN, b"\x1b[A") + [letters(b"", b"")],
        INTERRUPT, stdin=size.names)


def tig(size):
    return Program("tig", ["tig"], size.pattern, moves(), b"Q", stdin=size.names)


def calcurse(folder, size):
    home = f"{folder}/calcurse"
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    with open(size.names) as names, open(f"{home}/todo", "w") as todo:
        todo.writelines(f"[1] {name}" for name in names)
    steps = moves()
    # To the pane of what is to do, which is sorted by names.
    steps[0].before = b"\t\t"
    return Program("calcurse", ["calcurse", "-D", home], r"TODO.*1\. ", steps, b"qy")


OTHERS = {
    "fzf": lambda folder, size: fzf(size),
    "tig": lambda folder, size: tig(size),
    "calcurse": calcurse,
}


def installed():
    return [name for name in OTHERS if shutil.which(name)]

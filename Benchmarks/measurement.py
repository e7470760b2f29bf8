"""What is measured of a program, and the figures that come of it."""
import dataclasses, os, random, shutil, subprocess
from pty_session import QUIET, Failure, Session, now

# Typed in step with a program's own timers, keys would meet them always or never.
PAUSE = 0.015
# A program that does nothing for so many seconds has loaded all that it loads.
IDLE = 0.1


@dataclasses.dataclass
class Figures:
    """Times in seconds, and bytes, of one key after the other."""
    times: list = dataclasses.field(default_factory=list)
    sizes: list = dataclasses.field(default_factory=list)

    def time(self, percent):
        return percentile(self.times, percent)

    def bytes(self):
        return percentile(self.sizes, 50)


@dataclasses.dataclass
class Measurement:
    first_frame: Figures = dataclasses.field(default_factory=Figures)
    loaded: Figures = dataclasses.field(default_factory=Figures)
    memory: int = 0
    steps: dict = dataclasses.field(default_factory=dict)
    # Why there is nothing, or not all.
    failure: str = ""


def percentile(values, percent):
    if not values:
        return None
    values = sorted(values)
    return values[min(len(values) - 1, round(percent / 100 * (len(values) - 1)))]


def measure(program, folder, measurement):
    """Starts the program, once only for its first frame and once for all, and adds to the measurement."""
    if measurement.failure:
        return
    try:
        for is_last in (False, True):
            session = start(program, folder)
            try:
                frame = session.wait(program.first_pattern)
                measurement.first_frame.times.append(frame - session.started)
                if is_last:
                    measurement.loaded.times.append(wait_until_idle(session) - session.started)
                    for step in program.steps:
                        take(step, session, measurement.steps.setdefault(step.name, Figures()))
                    measurement.memory = max(measurement.memory, session.memory())
            finally:
                session.close(program.quit)
    except Failure as failure:
        measurement.failure = str(failure)


def start(program, folder):
    """Starts it as if it had never run: what it remembers would be another first frame."""
    home = f"{folder}/home"
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    environment = {"HOME": home, **{f"XDG_{kind}_HOME": f"{home}/{kind}" for kind in ("STATE", "CONFIG", "CACHE")}}
    environment |= program.environment
    if program.prepare:
        subprocess.run(program.prepare, env={**os.environ, **environment}, check=True)
    return Session(program.words, environment, stdin=program.stdin)


def take(step, session, figures):
    if step.before:
        session.write(step.before)
        session.settle(max(step.quiet, QUIET) * 4)
    unanswered = 0
    for number in range(step.count):
        if step.first:
            session.write(step.first[number % len(step.first)])
            session.read(step.quiet)
        seconds, size = session.key(
            step.keys[number % len(step.keys)], step.quiet, least=step.least,
            shows=step.shows[number % len(step.shows)] if step.shows else None)
        if seconds is None:
            unanswered += 1
            # It is no key of this program, or of this version of it.
            if unanswered == 2:
                break
            continue
        figures.times.append(seconds)
        figures.sizes.append(size)
        session.read_for(step.pause + random.random() * PAUSE)
    if step.after:
        session.write(step.after)
        session.settle(max(step.quiet, QUIET) * 4)


def wait_until_idle(session, most=120):
    """When it last did something before a moment in which none of its threads ran."""
    end = now() + most
    since, before = now(), busy_time(session.process)
    while now() - since < IDLE:
        session.read_for(IDLE / 10)
        seconds, is_running = busy_time(session.process), is_busy(session.process)
        if is_running or seconds - before > 0.001:
            since, before = now(), seconds
        if now() > end:
            raise Failure("is never idle")
    return since


def threads(process):
    return [f"/proc/{process}/task/{thread}" for thread in os.listdir(f"/proc/{process}/task")]


def busy_time(process):
    """Seconds for which its threads have run."""
    return sum(int(text.split()[0]) for text in read_all(process, "schedstat")) / 1e9


def is_busy(process):
    """Whether a thread of it runs, wants to, or waits for a disk."""
    return any(text.rsplit(")", 1)[1].split()[0] in "RD" for text in read_all(process, "stat"))


def read_all(process, name):
    texts = []
    for thread in threads(process):
        try:
            with open(f"{thread}/{name}") as file:
                texts.append(file.read())
        except (FileNotFoundError, ProcessLookupError):
            # It has ended since the folder was read.
            continue
    return texts

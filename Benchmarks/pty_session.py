"""A full-screen program on a terminal of its own, and how long it takes to answer.

The terminal is a bare PTY without an emulator, so that nothing else counts: times end with the last byte that the
program has written.
"""
import errno, fcntl, os, pty, re, select, signal, struct, termios, time

now = time.perf_counter
# Without output for so long, a program has drawn all that it was going to for a key.
QUIET = 0.03
ESCAPE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()*+][A-Za-z0-9]|[=>78DMEHc])")


class Failure(Exception):
    pass


class Session:
    """A program from its start to its end. Its keys come from the PTY even if `stdin` is a file."""

    def __init__(self, words, environment={}, columns=120, rows=40, stdin=None):
        terminal, device = pty.openpty()
        fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        reader, writer = os.pipe()
        known = {name: os.environ[name] for name in ("PATH", "HOME", "USER") if name in os.environ}
        environment = {**known, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        self.words, self.output, self.answered, self.is_open = words, bytearray(), 0, True
        self.process = os.fork()
        if self.process == 0:
            try:
                os.setsid()
                fcntl.ioctl(device, termios.TIOCSCTTY, 0)
                os.dup2(os.open(stdin, os.O_RDONLY) if stdin else device, 0)
                os.dup2(device, 1)
                os.dup2(device, 2)
                # Python ignores it, and children inherit that.
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.write(writer, struct.pack("d", now()))
                os.closerange(3, 64)
                os.execvpe(words[0], words, environment)
            finally:
                os._exit(127)
        os.close(device)
        os.close(writer)
        self.terminal = terminal
        self.started = struct.unpack("d", os.read(reader, 8))[0]
        os.close(reader)
        self.poll = select.poll()
        self.poll.register(terminal, select.POLLIN | select.POLLHUP)

    # What it writes

    def read(self, seconds):
        """The next output and when it came; None if there was none for so long."""
        if not self.is_open or not self.poll.poll(max(0, seconds) * 1000):
            return None, now()
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        time_read = now()
        if not data:
            self.is_open = False
            return None, time_read
        self.output += data
        if b"\x1b" in data:
            self.answer()
        return data, time_read

    def answer(self):
        """Tells what programs ask a terminal for before they draw: the cursor's place, and what it is."""
        asked, self.answered = bytes(self.output[self.answered:]), len(self.output)
        for question, reply in ((b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?62;22c")):
            if question in asked:
                self.write(reply)

    def write(self, data):
        try:
            os.write(self.terminal, data)
        except OSError:
            self.is_open = False

    def settle(self, quiet=QUIET, most=60):
        """Reads until nothing came for `quiet` seconds; when the last byte did, or None if none came."""
        end, last = now() + most, None
        while now() < end:
            data, time_read = self.read(quiet)
            if data is None:
                return last
            last = time_read
        raise Failure("draws without end")

    def read_for(self, seconds):
        end = now() + seconds
        while self.is_open and now() < end:
            self.read(end - now())

    def text(self, start=0):
        """What was written from `start` on, without control sequences."""
        return ESCAPE.sub(b"", bytes(self.output[start:])).decode(errors="replace")

    def wait(self, pattern, start=0, seconds=60):
        """Waits until `pattern` was written after `start`, and nothing for a moment; when the last byte came."""
        end, last = now() + seconds, now()
        while not re.search(pattern, self.text(start)):
            data, last = self.read(end - now())
            if data is None:
                raise Failure(f"{pattern!r} does not come in {seconds} s")
        return self.settle() or last

    def key(self, key, quiet=QUIET, most=5, least=1, shows=None):
        """Types a key. Seconds to the last byte that answers it, or None if none does, and their number.

        An answer has `least` bytes, whatever silence there is before, and ends with the text `shows`."""
        start, before, last = now(), len(self.output), None
        self.write(key)
        while now() - start < most:
            is_answered = len(self.output) - before >= least and (not shows or shows in self.text(before))
            if shows and is_answered:
                break
            data, time_read = self.read(quiet if is_answered else most)
            if data is None:
                break
            last = time_read
        is_shown = not shows or shows in self.text(before)
        return (last - start if last and is_shown else None), len(self.output) - before

    # What it uses

    def memory(self):
        """The most that it has had of it, in bytes."""
        with open(f"/proc/{self.process}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) << 10

    def close(self, keys):
        """Ends it by these keys, or else by a signal."""
        self.write(keys)
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number:
                os.kill(self.process, number)
            end = now() + 5
            while now() < end:
                self.read(0.01)
                if os.waitpid(self.process, os.WNOHANG)[0]:
                    os.close(self.terminal)
                    return
                if not self.is_open:
                    time.sleep(0.01)

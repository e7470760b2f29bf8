"""The real program on a screen of tmux, for scripts that let the disk fail while somebody types."""
import atexit, json, os, re, shutil, sqlite3, subprocess, sys, tempfile, time

ROW = re.compile(r"│.*[○✓] (\S+)")


class Failure(Exception):
    pass


class Screen:
    """A folder and home of their own, with a store in it that may lie elsewhere."""

    def __init__(self, binary, backend, folder=None, environment={}):
        self.binary = os.path.abspath(binary)
        self.home = tempfile.mkdtemp(prefix="sheaf-screen-")
        self.folder = folder or f"{self.home}/list"
        os.makedirs(self.folder, exist_ok=True)
        self.backend = backend
        self.store = f"{self.folder}/list.{backend}"
        self.socket = ""
        self.starts = 0
        self.environment = {
            **os.environ, "HOME": self.home, "XDG_STATE_HOME": f"{self.home}/state", "SWIFT_BACKTRACE": "enable=no",
            **environment}
        self.process = None
        atexit.register(self.remove)

    def remove(self):
        self.end()
        shutil.rmtree(self.home, ignore_errors=True)

    def tmux(self, *words):
        return subprocess.run(
            ["tmux", "-u", "-L", self.socket, "-f", "/dev/null", *words], env=self.environment,
            capture_output=True, text=True).stdout

    def sheaf(self, *words):
        return subprocess.run(
            [self.binary, *words], env=self.environment, capture_output=True, text=True, timeout=60)

    def make(self, names):
        """A new list with items of these names."""
        shutil.rmtree(f"{self.home}/state", ignore_errors=True)
        for name in os.listdir(self.folder):
            os.unlink(f"{self.folder}/{name}")
        result = subprocess.run(
            [self.binary, "import", "--store", self.store, "--format", "lines", "-"], env=self.environment,
            input="\n".join(names), capture_output=True, text=True)
        if result.returncode:
            raise Failure(result.stderr)

    def open(self, wait_for="✓ saved", options=""):
        """Starts the program; what it says on stderr goes to the file `errors`."""
        self.end()
        for name in ("pid", "status"):
            if os.path.exists(f"{self.home}/{name}"):
                os.unlink(f"{self.home}/{name}")
        # A server of its own each time: the last one may not have ended yet.
        self.starts += 1
        self.socket = f"{os.path.basename(self.home)}-{self.starts}"
        # The shell around it, because tmux at times misses the status of a child.
        command = f"echo $$ >pid; exec {self.binary} --store \"{self.store}\" {options} 2>errors"
        self.tmux(
            "new-session", "-d", "-x", "120", "-y", "40", "-c", self.home,
            f"exec 2>/dev/null; sh -c '{command}'; echo $? >status.new; mv status.new status")
        self.tmux("set", "-g", "remain-on-exit", "on")
        self.process = int(self.poll(lambda: self.read("pid").strip(), "the program"))
        if wait_for:
            self.wait(lambda text: wait_for in text and "loading" not in text, wait_for)

    def end(self):
        if not self.process:
            return
        self.tmux("kill-server")
        # A hangup lets the program save what it has.
        while os.path.exists(f"/proc/{self.process}"):
            time.sleep(0.01)
        self.process = None

    def wait_for_end(self, seconds=20):
        """Waits until the program has ended, and returns its status as the shell has it."""
        return int(self.poll(lambda: self.read("status"), "the program's end", seconds))

    def is_dead(self):
        return not os.path.exists(f"/proc/{self.process}")

    def errors(self):
        return self.read("errors")

    def read(self, name):
        """What a file of the home has, or nothing."""
        try:
            return open(f"{self.home}/{name}").read()
        except FileNotFoundError:
            return ""

    def poll(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := condition():
                return value
            time.sleep(0.01)
        raise Failure(f"waited {seconds} s in vain for {what}:\n{self.text()}")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def add(self, name):
        """Types a new item at the end of the list."""
        self.tmux("send-keys", "A", *name, "Enter")

    def text(self):
        return self.tmux("capture-pane", "-p")

    def names(self, text=None):
        found = (ROW.search(line) for line in (text or self.text()).splitlines())
        return [match[1] for match in found if match]

    def wait(self, condition, what, seconds=20):
        """Waits until the screen is as `condition` wants it; returns it and how long that took."""
        start = time.monotonic()
        while True:
            text = self.text()
            if condition(text):
                return text, time.monotonic() - start
            if time.monotonic() - start > seconds:
                raise Failure(f"waited {seconds} s in vain for {what}:\n{text}\n{self.errors()}")
            time.sleep(0.02)

    def painted(self, name, seconds=2):
        return self.wait(lambda text: name in self.names(text), f"{name} to be painted", seconds)[1]

    def on_disk(self):
        """The names that the file holds, read by nothing of ours; None if it is locked or cannot be read now."""
        try:
            if self.backend == "json":
                return [item["name"] for item in json.load(open(self.store))["items"]]
            database = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=0)
            try:
                return [name for name, in database.execute("SELECT name FROM items ORDER BY rank, id")]
            finally:
                database.close()
        except (OSError, ValueError, sqlite3.OperationalError):
            return None

    def listed(self):
        """The names that the next command lists."""
        result = self.sheaf("list", "--store", self.store, "--format", "json")
        if result.returncode:
            raise Failure(f"the list cannot be opened: {result.stderr}")
        return [item["name"] for item in json.loads(result.stdout)]

    def check(self):
        if self.backend == "sqlite":
            database = sqlite3.connect(self.store)
            for pragma in ("integrity_check", "foreign_key_check"):
                rows = database.execute(f"PRAGMA {pragma}").fetchall()
                if rows not in ([], [("ok",)]):
                    raise Failure(f"{pragma}: {rows}")
            database.close()

    def check_status(self):
        """`✓ saved` may be said only of what is on disk."""
        # A look may meet a frame that is half drawn; what is true stays so for more than one.
        for _ in range(3):
            text = self.text()
            disk = self.on_disk()
            if "✓ saved" not in text or disk is None or set(self.names(text)) <= set(disk):
                return
            time.sleep(0.03)
        raise Failure(f"“saved” is said, and on disk is {disk}:\n{text}")

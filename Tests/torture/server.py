"""PostgreSQL servers of a script's own, and a proxy that is a bad network, for scripts that let a server fail."""
import glob, os, random, selectors, shutil, signal, socket, struct, subprocess, threading, time

CHUNK = 1 << 16


def binaries():
    """The folder of the newest installed server's programs."""
    folders = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    if folders:
        return os.path.dirname(max(folders, key=lambda path: int(path.split("/")[4])))
    return os.path.dirname(shutil.which("initdb") or "/usr/bin/initdb")


def free_port():
    while True:
        port = random.randrange(56000, 61000)
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Cluster:
    """A server on 127.0.0.1 that takes TLS, in a folder that its user owns."""

    def __init__(self, folder):
        self.folder, self.data, self.port = folder, f"{folder}/data", free_port()

    def run(self, program, *words):
        # The server refuses to run as root, and keeps what it is given open.
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        with open(f"{self.folder}/tools", "a") as output:
            result = subprocess.run(
                [*user, f"{binaries()}/{program}", *words], cwd="/", stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, timeout=90)
        if result.returncode:
            raise RuntimeError(f"{program} {' '.join(words)}: see {self.folder}/tools")

    def create(self, *roles):
        os.makedirs(self.folder)
        self.own(self.folder)
        os.chmod(self.folder, 0o755)
        self.run("initdb", "-D", self.data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        key, certificate = f"{self.data}/server.key", f"{self.data}/server.crt"
        subprocess.run(
            ["openssl", "req", "-new", "-x509", "-days", "2", "-nodes", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        self.own(key), self.own(certificate)
        os.chmod(key, 0o600)
        shutil.copy(certificate, f"{self.folder}/root.crt")
        os.chmod(f"{self.folder}/root.crt", 0o644)
        self.start()
        for role in roles:
            self.sql(f"CREATE ROLE {role} LOGIN", "postgres")
        self.sql("CREATE DATABASE lists", "postgres")

    def own(self, path):
        if os.getuid() == 0:
            shutil.chown(path, "postgres", "postgres")

    def start(self):
        # A standby is to find a server that has started again at once, not 5 s later.
        settings = ["ssl=on", "fsync=off", "wal_retrieve_retry_interval=100ms"]
        options = " ".join([f"-k {self.folder} -h 127.0.0.1 -p {self.port}", *(f"-c {text}" for text in settings)])
        self.run("pg_ctl", "-D", self.data, "-w", "-l", f"{self.folder}/log", "-o", options, "start")

    def stop(self, mode="immediate"):
        if os.path.exists(f"{self.data}/postmaster.pid"):
            self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def sql(self, text, database="lists", role="owner"):
        """What psql prints of it, without headings; as the superuser if no role is given, by the socket."""
        result = subprocess.run(
            [f"{binaries()}/psql", "-h", self.folder, "-p", str(self.port), "-U", role, "-XqAt", "-v",
             "ON_ERROR_STOP=1", "-c", text, database], cwd="/", capture_output=True, text=True, timeout=60)
        if result.returncode:
            raise RuntimeError(f"{text}: {result.stderr}")
        return result.stdout.strip()

    def kill(self):
        """Ends it with kill -9."""
        processes = self.processes()
        self.signal(signal.SIGKILL, processes)
        while any(os.path.exists(f"/proc/{process}") for process in processes):
            time.sleep(0.01)
        os.unlink(f"{self.data}/postmaster.pid")

    def wait_for_start(self):
        """Waits until it has recovered from the end of one of its processes."""
        end = time.monotonic() + 30
        while subprocess.run([f"{binaries()}/pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]).returncode:
            if time.monotonic() > end:
                raise RuntimeError("the server does not come back")
            time.sleep(0.02)

    def processes(self):
        """The server's, the first one being the parent of all."""
        parent = int(open(f"{self.data}/postmaster.pid").readline())
        children = open(f"/proc/{parent}/task/{parent}/children").read().split()
        return [parent, *map(int, children)]

    def sessions(self):
        """The processes that serve somebody's list."""
        return [int(line) for line in self.sql(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'sheaf'").split()]

    def signal(self, number, processes):
        for process in processes:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def follow(self, primary):
        """Becomes a new standby of another server."""
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)
        self.run(
            "pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d",
            f"host={primary.folder} port={primary.port} user=owner application_name=standby")
        self.start()

    def lag(self):
        """A standby hears no more of its primary."""
        self.sql("ALTER SYSTEM SET primary_conninfo = ''")
        self.sql("SELECT pg_reload_conf()")
        self.wait("SELECT count(*) = 0 FROM pg_stat_wal_receiver")

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def commit_on(self, standbys):
        """Who has to have a commit before it is acknowledged: `*`, or nobody."""
        self.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{standbys}'")
        self.sql("SELECT pg_reload_conf()")
        if standbys:
            self.wait("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'")

    def wait(self, condition):
        end = time.monotonic() + 30
        while self.sql(condition) != "t":
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {condition}")
            time.sleep(0.05)


class Proxy:
    """Passes bytes to a server on this machine, as well or as badly as it is told to."""

    def __init__(self, target):
        self.target = target
        self.mend()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port = self.listener.getsockname()[1]
        self.connections = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def mend(self):
        self.refuses = False
        self.held = set()  # "up" to the server, "down" from it: what comes waits until it is mended.
        self.most = None  # A function for how many bytes a connection lasts.
        self.delay = 0

    def reset(self):
        """Ends all connections with a reset."""
        for pair in list(self.connections):
            self.end(pair)

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.refuses:
                self.end((client,))
            else:
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target.port))
        except OSError:
            return self.end((client,))
        pair = (client, server)
        self.connections.add(pair)
        left = {"up": self.most() if self.most else None, "down": self.most() if self.most else None}
        try:
            with selectors.DefaultSelector() as selector:
                for source, sink, way in ((client, server, "up"), (server, client, "down")):
                    source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    selector.register(source, selectors.EVENT_READ, (sink, way))
                while self.pass_on(selector, left):
                    pass
        except OSError:
            pass
        self.end(pair)

    def pass_on(self, selector, left):
        if self.held:
            time.sleep(0.02)
        for key, _ in selector.select(0.2):
            sink, way = key.data
            if way in self.held:
                continue
            if self.most and left[way] is None:
                left[way] = self.most()
            data = key.fileobj.recv(CHUNK)
            if self.delay:
                time.sleep(self.delay)
            if way in self.held:
                # What was on its way when the network went.
                while way in self.held:
                    time.sleep(0.02)
            if left[way] is not None:
                left[way] -= len(data)
                if left[way] <= 0:
                    sink.sendall(data[:left[way] or None])
                    return False
            if not data:
                return False
            sink.sendall(data)
        return True

    def end(self, pair):
        self.connections.discard(pair)
        for end in pair:
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                # What another thread waits for has to end as well.
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

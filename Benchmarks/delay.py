"""A network that takes its time, in a process of its own: every byte arrives so much later, as many as there are."""
import collections, os, selectors, socket, sys, time

CHUNK = 1 << 18


class Way:
    """What is on its way from one socket to another."""

    def __init__(self, source, sink, delay):
        self.source, self.sink, self.delay = source, sink, delay
        self.chunks, self.other = collections.deque(), None

    def take(self):
        self.chunks.append((time.monotonic() + self.delay, self.source.recv(CHUNK)))
        return bool(self.chunks[-1][1])

    def pass_on(self):
        """Sends what is due; whether the end of it was."""
        while self.chunks and self.chunks[0][0] <= time.monotonic():
            due, data = self.chunks.popleft()
            if not data:
                return True
            self.sink.setblocking(True)
            self.sink.sendall(data)
            self.sink.setblocking(False)
        return False


def serve(listener, port, delay):
    ways, selector = [], selectors.EpollSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        due = min((way.chunks[0][0] for way in ways if way.chunks), default=None)
        for key, _ in selector.select(None if due is None else max(0, due - time.monotonic())):
            if key.fileobj is listener:
                ends = (listener.accept()[0], socket.create_connection(("127.0.0.1", port)))
                pair = [Way(*ends, delay), Way(*reversed(ends), delay)]
                pair[0].other, pair[1].other = pair[1], pair[0]
                for way in pair:
                    way.source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    selector.register(way.source, selectors.EVENT_READ, way)
                ways += pair
            elif not is_read(key.data):
                selector.unregister(key.fileobj)
        for way in list(ways):
            if way in ways and is_over(way):
                for each in (way, way.other):
                    ways.remove(each)
                    if each.source.fileno() in selector.get_map():
                        selector.unregister(each.source)
                    each.source.close()


def is_read(way):
    try:
        return way.take()
    except OSError:
        way.chunks.append((0, b""))
        return False


def is_over(way):
    try:
        return way.pass_on()
    except OSError:
        return True


def start(port, delay):
    """Begins to pass on what comes for a server on this machine; the process, and the port that it listens at."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=200)
    process = os.fork()
    if process == 0:
        try:
            serve(listener, port, delay)
        except KeyboardInterrupt:
            pass
        finally:
            os._exit(1)
    address = listener.getsockname()[1]
    listener.close()
    return process, address


if __name__ == "__main__":
    # PORT SECONDS: by hand, until it is interrupted.
    process, address = start(int(sys.argv[1]), float(sys.argv[2]))
    print(address, flush=True)
    os.waitpid(process, 0)

import Dispatch
import SheafList

/// Looks out for others' commits, and for the server while it is away.
///
/// The server tells of a commit by a notification, which is a hint: it has no memory, and anybody
/// may send one. So the list's number is asked for every 20 s as well, and after each new
/// connection. A standby in recovery sends no notifications and is asked every 2 s.
///
/// After a connection breaks, the watch connects again, every second and later every three, so that
/// unsaved changes do not wait for the pipeline's next attempt.
final class PostgresWatch: StorageWatch {
    private let state: State

    /// On the queue only, which is what `@unchecked` rests on.
    fileprivate final class State: @unchecked Sendable {
        let session: PostgresSession
        let queue: DispatchQueue
        let body: @Sendable () -> Void
        var input: (any DispatchSourceRead)?
        var timer: (any DispatchSourceTimer)?
        var failures = 0
        var isOver = false

        init(
            _ session: PostgresSession, on queue: DispatchQueue,
            _ body: @escaping @Sendable () -> Void
        ) {
            self.session = session
            self.queue = queue
            self.body = body
        }
    }

    init(
        _ session: PostgresSession, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
        state = State(session, on: queue, body)
        queue.async { [state] in state.begin() }
    }

    deinit {
        state.queue.async { [state] in state.end() }
    }
}

extension PostgresWatch.State {
    func begin() {
        guard !isOver else { return }
        session.onConnection = { [weak self] in self?.follow($0) }
        session.onNews = body
        do { try session.listen() } catch { session.disconnect() }
        follow(session.connection)
        look()
    }

    func end() {
        isOver = true
        session.onConnection = { _ in }
        session.onNews = {}
        session.listens = false
        input?.cancel()
        timer?.cancel()
        input = nil
        timer = nil
    }

    /// Listens to a new connection, whose socket is another one, or tries to make one.
    private func follow(_ connection: PostgresConnection?) {
        // Cancelled before the descriptor is closed, which its last owner does after this.
        input?.cancel()
        input = nil
        guard !isOver else { return }
        guard let connection else { return schedule(after: failures == 0 ? 0.3 : 1) }
        failures = 0
        let source = DispatchSource.makeReadSource(
            fileDescriptor: connection.socket, queue: queue)
        source.setEventHandler { [weak self, weak connection] in
            guard let self, let connection, !isOver else { return }
            do {
                if try connection.heard() { body() }
            } catch {
                session.disconnect()
                body()
            }
        }
        // The connection lives until nothing waits for its descriptor.
        source.setCancelHandler { _ = connection }
        input = source
        source.activate()
        schedule(after: period)
        // What was committed while there was none.
        body()
    }

    private func look() {
        guard !isOver else { return }
        if session.connection == nil {
            do {
                try session.connect()
            } catch {
                failures += 1
                body()
                return schedule(after: failures < 20 ? 1 : 3)
            }
        } else if session.hasNews() {
            body()
        }
        // A connection that turned out to be gone is made anew sooner.
        if session.connection != nil { schedule(after: period) }
    }

    /// The number of seconds between two looks.
    private var period: Double { session.isNotified ? 20 : 2 }

    private func schedule(after seconds: Double) {
        timer?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.look() }
        self.timer = timer
        timer.activate()
    }
}

import Dispatch
import SheafList

/// A watch for other clients' commits, which also reconnects to a server that was unavailable.
///
/// The server announces each commit by a notification. This is only a hint, because notifications
/// are not stored, and any role may send one. So the watch also reads the number of the list's last
/// commit every 20 seconds. A standby in recovery sends no notifications, so the watch reads it
/// every 2 seconds.
///
/// After a connection breaks, the watch tries to reconnect every second, and later every three
/// seconds, so that unsaved changes do not wait for the pipeline's next attempt.
final class PostgresWatch: StorageWatch {
    private let state: State

    /// Used only on the queue, which justifies `@unchecked`.
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
        session.onExternalCommit = body
        do { try session.listen() } catch { session.disconnect() }
        follow(session.connection)
        checkForChanges()
    }

    func end() {
        isOver = true
        session.onConnection = { _ in }
        session.onExternalCommit = {}
        session.listens = false
        input?.cancel()
        timer?.cancel()
        input = nil
        timer = nil
    }

    /// Listens on the socket of a new connection, or schedules an attempt to connect.
    private func follow(_ connection: PostgresConnection?) {
        // Cancels the source before the connection's last owner closes the descriptor.
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
                if try connection.readNotifications() { body() }
            } catch {
                session.disconnect()
                body()
            }
        }
        // The handler keeps the connection alive until its descriptor is no longer in use.
        source.setCancelHandler { _ = connection }
        input = source
        source.activate()
        schedule(after: period)
        // Fetches the commits that were made without a connection.
        body()
    }

    private func checkForChanges() {
        guard !isOver else { return }
        if session.connection == nil {
            do {
                try session.connect()
            } catch {
                failures += 1
                body()
                return schedule(after: failures < 20 ? 1 : 3)
            }
        } else if session.hasExternalChanges() {
            body()
        }
        // If the connection turned out to be broken, `follow` has scheduled an earlier attempt.
        if session.connection != nil { schedule(after: period) }
    }

    /// The interval between two checks, in seconds.
    private var period: Double { session.isNotified ? 20 : 2 }

    private func schedule(after seconds: Double) {
        timer?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.checkForChanges() }
        self.timer = timer
        timer.activate()
    }
}

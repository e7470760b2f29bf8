extension PersistenceMiddleware {
    /// ``status`` now and after every change of it, its counter of actions alone excepted, until
    /// the middleware is released.
    ///
    /// - Parameter limit: how many values wait for whoever iterates; the oldest goes first.
    public func statuses(buffering limit: Int = 1) -> AsyncStream<PersistenceStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PersistenceStatus.self, bufferingPolicy: .bufferingNewest(limit))
        continuation.yield(status)
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.watchers[number] = nil }
        }
        return stream
    }
}

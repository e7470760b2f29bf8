import Observation

/// Returns once `condition` holds. Checks it again whenever a value that it reads has changed.
func until(_ condition: () -> Bool) async {
    while true {
        let (changes, changed) = AsyncStream<Void>.makeStream()
        // Told before the change; this task goes on after it.
        let isMet = withObservationTracking(condition) { changed.yield() }
        if isMet { return }
        for await _ in changes { break }
    }
}

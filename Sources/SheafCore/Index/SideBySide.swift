import Glibc

/// Work that several threads share.
enum SideBySide {
    /// By how many tasks a list is searched or sorted: as many as there are processors, up to 8.
    static let width = max(min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8), 1)
}

/// What each of `tasks` returns, run side by side.
func sideBySide<Value: Sendable>(_ tasks: [@Sendable () -> Value]) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
        for (number, task) in tasks.enumerated() { group.addTask { (number, task()) } }
        var values: [(Int, Value)] = []
        for await value in group { values.append(value) }
        return values.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// What each of `tasks` returns, run side by side.
func sideBySide<Value: Sendable>(_ tasks: [@Sendable () -> Value]) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
        for (number, task) in tasks.enumerated() { group.addTask { (number, task()) } }
        var values: [(Int, Value)] = []
        for await value in group { values.append(value) }
        return values.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

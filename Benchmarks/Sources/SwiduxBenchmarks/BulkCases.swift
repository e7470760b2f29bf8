import Swidux

extension Case {
    static var bulk: [Case] {
        [
            Case(name: "drain of one change", workloads: drainOfOne),
            Case(name: "drain of all, for an entity", workloads: drainOfAll),
            Case(name: "hydrate in pages of 1,000, for an entity", workloads: hydration),
        ]
    }

    private static func drainOfOne(_ fixture: Fixture) -> [Workload] {
        let count = 50
        var states: [ListState] = []
        var writer = StateWriter<ListState>(keyPath: \.entries) { _, _ in }
        var textbooks: [TextbookEntityStore] = []
        return [
            Workload(
                count: count,
                prepare: {
                    states = (0..<count).map { number in
                        var state = fixture.state
                        state.entries.modify(fixture.id(number)) { $0.toggle() }
                        return state
                    }
                },
                run: { count in
                    for number in 0..<count {
                        writer = StateWriter(keyPath: \.entries) { _, _ in }
                        keep(writer.drain(&states[number]))
                    }
                }),
            Workload(
                count: 1,
                prepare: {
                    var textbook = fixture.textbook
                    textbook.modify(fixture.id(1)) { $0.content.doneAt = 7 }
                    textbooks = [textbook]
                },
                run: { _ in keep(textbooks[0].drain()) }),
        ]
    }

    private static func drainOfAll(_ fixture: Fixture) -> [Workload] {
        var base = fixture.state
        for entry in fixture.entries { base.entries.modify(entry.id) { $0.content.doneAt = 7 } }
        let changed = base
        var changedTextbook = fixture.textbook
        for entry in fixture.entries { changedTextbook.modify(entry.id) { $0.content.doneAt = 7 } }
        return [
            Workload(count: fixture.size) { _ in
                let writer = StateWriter<ListState>(keyPath: \.entries) { _, _ in }
                var state = changed
                keep(writer.drain(&state))
            },
            Workload(count: fixture.size) { _ in
                var textbook = changedTextbook
                keep(textbook.drain())
            },
        ]
    }

    private static func hydration(_ fixture: Fixture) -> [Workload] {
        let entries = fixture.entries
        let textbook = fixture.textbook.values
        return [
            Workload(count: fixture.size) { _ in
                var store = EntityStore<Entry>()
                for start in stride(from: 0, to: entries.count, by: 1000) {
                    store.hydrate(entries[start..<min(start + 1000, entries.count)])
                }
                store.endHydration()
                keep(store)
            },
            Workload(count: fixture.size) { _ in
                var store = TextbookEntityStore([])
                for start in stride(from: 0, to: textbook.count, by: 1000) {
                    store.hydrate(Array(textbook[start..<min(start + 1000, textbook.count)]))
                }
                keep(store)
            },
        ]
    }
}

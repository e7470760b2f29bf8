import Swidux

extension Case {
    static var reads: [Case] {
        [
            Case(name: "view updated for one change", budget: .view, workloads: viewUpdate),
            Case(name: "40 rows of a screen", budget: .read) { fixture in
                let state = fixture.state
                var next = 0
                return [
                    Workload(count: 250) { count in
                        for _ in 0..<count {
                            let top = Int(truncatingIfNeeded: next &* 7_919) % state.open.count
                            keep(state.open.ids(in: top..<top + 40))
                            next += 1
                        }
                    },
                    textbookScreen(fixture),
                ]
            },
            Case(name: "40 rows of a screen, with their entries") { fixture in
                let state = fixture.state
                var next = 0
                return [
                    Workload(count: 250) { count in
                        for _ in 0..<count {
                            let top = Int(truncatingIfNeeded: next &* 7_919) % state.open.count
                            keep(state.open.page(at: top, count: 40))
                            next += 1
                        }
                    },
                    textbookScreen(fixture),
                ]
            },
        ]
    }

    /// Toggles entries between updates, so that each update removes a row from the view or inserts
    /// one. Only the update is timed.
    private static func viewUpdate(_ fixture: Fixture) -> [Workload] {
        let count = 50
        var stores: [EntityStore<Entry>] = []
        var view = fixture.state.open
        var next = 0
        return [
            Workload(
                count: count,
                prepare: {
                    stores = []
                    view = fixture.state.open
                    var store = fixture.state.entries
                    for _ in 0..<count {
                        store.modify(fixture.id(next)) { $0.toggle() }
                        stores.append(store)
                        next += 1
                    }
                },
                run: { count in
                    for number in 0..<count {
                        let held = view
                        view.update(from: stores[number])
                        keep(held)
                    }
                }),
            textbookView(fixture),
        ]
    }

    /// Filters and sorts the whole list each time, as a view body does.
    private static func textbookView(_ fixture: Fixture) -> Workload {
        Workload(count: 1) { _ in
            let rows = fixture.textbook.values.filter { $0.content.doneAt == nil }
                .sorted { $0.sortIndex < $1.sortIndex }
            keep(rows)
        }
    }

    private static func textbookScreen(_ fixture: Fixture) -> Workload {
        Workload(count: 1) { _ in
            let rows = fixture.textbook.values.filter { $0.content.doneAt == nil }
                .sorted { $0.sortIndex < $1.sortIndex }
            keep(rows.prefix(40))
        }
    }
}

import Foundation
import SheafApp
import Swidux

/// A user's task as a series of steps. Each step is timed until all work that it started has ended.
struct Scene {
    struct Step {
        let action: AppAction
        var isTimed = true
    }

    let name: String
    /// The actions before the steps, which are not timed.
    var before: [AppAction] = []
    let steps: @Sendable (_ round: Int, LongList) -> [Step]
    var after: [AppAction] = []
    /// The text that the scene types into a query, or `nil`.
    var typed: String?

    /// Plays the scene, and returns its row of the table.
    @MainActor
    func play(on list: LongList, rounds: Int) async -> Row {
        await send(before, to: list)
        var row = Row(name: name)
        for round in 0..<rounds {
            for step in steps(round, list) {
                guard step.isTimed else {
                    await send([step.action], to: list)
                    continue
                }
                let begin = ContinuousClock.now
                let processor = processorTime()
                list.store.send(step.action)
                await list.store.settled()
                row.spent += processorTime() - processor
                row.times.append((ContinuousClock.now - begin) / .milliseconds(1))
            }
        }
        await send(after, to: list)
        return row
    }

    @MainActor
    private func send(_ actions: [AppAction], to list: LongList) async {
        for action in actions {
            list.store.send(action)
            await list.store.settled()
        }
    }
}

extension Scene {
    static var all: [Scene] {
        [
            Scene(
                name: "next tag", before: [.browse(.paneChosen(.tags))],
                steps: { _, _ in
                    (Array(repeating: .browse(.moved(.rows(1))), count: 8)
                        + [.browse(.moved(.toFirst))]).map { Step(action: $0) }
                }, after: [.browse(.paneChosen(.items))]),
            query("tags and states", "-is:done NOT is:untagged OR #book"),
            query("open items", "is:open"), savedView,
            typing("gard"), typing("spring"), typing("the r"),
            sort(.name), sort(.created), sort(.tag), sort(.manual),
            rename("a rename, manual order", sortedBy: .manual),
            rename("a rename, by name", sortedBy: .name),
            rename("a rename, by tag", sortedBy: .tag),
            rename("a rename, best matches of `spr`", sortedBy: .manual, query: "spr"),
        ]
    }

    /// Shows a view of the open items with a tag, last changed first, and then a view of all items.
    private static var savedView: Scene {
        Scene(
            name: "a saved view",
            before: [
                .views(.add(name: "all")), .filter(.opened), .line(.edited(.insert("#garden"))),
                .filter(.accepted), .sort(.chosen(.changed)), .browse(.hideDoneToggled),
                .views(.add(name: "open garden")),
            ],
            steps: { _, _ in [1, 2].map { Step(action: .views(.chooseNumber($0))) } },
            after: [.views(.chooseNumber(1))])
    }

    private static func query(_ name: String, _ text: String) -> Scene {
        Scene(name: name, before: [.filter(.opened)]) { _, _ in
            [.line(.edited(.insert(text))), .line(.edited(.unixLineDiscard))].map {
                Step(action: $0)
            }
        } after: {
            [.filter(.cancelled)]
        }
    }

    /// Types the letters of a text one by one, and then deletes them one by one.
    private static func typing(_ text: String) -> Scene {
        var scene = Scene(name: "a letter of `\(text)`", before: [.filter(.opened)]) { _, _ in
            (text.map { .line(.edited(.insert(String($0)))) }
                + text.map { _ in .line(.edited(.backwardDeleteChar)) }).map { Step(action: $0) }
        } after: {
            [.filter(.cancelled)]
        }
        scene.typed = text
        return scene
    }

    /// Sorts after an edit, because otherwise a cached order would be shown.
    private static func sort(_ sort: ItemSort) -> Scene {
        let other = sort == .manual ? ItemSort.name : .manual
        return Scene(
            name: "sort by \(sort.rawValue)",
            steps: { round, list in
                let item = list.items[round * 7_919 % list.items.count]
                return [
                    Step(action: .sort(.chosen(other)), isTimed: false),
                    Step(
                        action: .items(.rename(item.id, newName: "\(sort) in \(round)")),
                        isTimed: false), Step(action: .sort(.chosen(sort))),
                ]
            },
            after: [.sort(.chosen(.manual))])
    }

    private static func rename(
        _ name: String, sortedBy sort: ItemSort, query: String? = nil
    ) -> Scene {
        var before: [AppAction] = [.sort(.chosen(sort))]
        if let query {
            before += [.filter(.opened), .line(.edited(.insert(query))), .filter(.accepted)]
        }
        return Scene(
            name: name, before: before,
            steps: { round, list in
                (0..<200).map { number in
                    let item = list.items[(round * 200 + number) * 7_919 % list.items.count]
                    return Step(
                        action: .items(
                            .rename(
                                item.id, newName: "spring renamed \(number) in \(round), \(name)")))
                }
            },
            after: [.browse(.escaped), .sort(.chosen(.manual))])
    }

    private init(
        name: String, before: [AppAction],
        _ steps: @escaping @Sendable (Int, LongList) -> [Step], after: () -> [AppAction]
    ) {
        self.init(name: name, before: before, steps: steps, after: after())
    }
}

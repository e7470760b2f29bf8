import FoundationEssentials
import SheafList
import Swidux

/// What became of items that repeat.
struct NextItems {
    /// How many were made.
    var made = 0
    /// The ones that the list had already.
    var known: [Item] = []
    /// How many were not, because the calendar ends before their day.
    var ended = 0

    /// What is said of them after what is said of the others; empty where there are none.
    var sentence: String {
        (made > 0
            ? " Added \(made == 1 ? "the next occurrence" : "\(made) next occurrences")." : "")
            + sentenceOfKnown
            + (ended > 0
                ? " No next occurrence for \(ended): its date would be after the year 9999." : "")
    }

    private var sentenceOfKnown: String {
        guard let first = known.first else { return "" }
        guard known.count == 1 else {
            return " \(known.count) next occurrences are already in the list."
        }
        let place = first.isDone ? "done" : "in the list"
        return " The next occurrence \(quoted(first.name)) is already \(place)."
    }
}

extension ListEdit {
    /// Adds to `changes`, which mark items done, the next ones of those that repeat, below them,
    /// unless the list has these; or where they mark items not done, takes away the next ones that
    /// nobody has edited.
    func followRepeats(of changes: inout EntityChanges<Item>) async throws -> NextItems {
        let items = changes.upserts
        let isDone = items.first?.isDone ?? false
        let next = items.filter { !isDone || $0.repeat != nil }.map(\.nextID)
        guard !next.isEmpty else { return NextItems() }
        let stored = try await storage.loadItems(ids: next)
        guard isDone else {
            for item in stored where item.isUntouchedNext { changes.delete(item) }
            return NextItems()
        }
        let known = Set(stored.map(\.id))
        let today = LocalCalendar.system.day(now)
        var result = NextItems(known: stored.filter { changes[$0.id] == nil })
        for item in items where item.repeat != nil && !known.contains(item.nextID) {
            guard let next = item.next(today: today, now: now, rank: item.rank) else {
                result.ended += 1
                continue
            }
            result.made += 1
            let placed = try await ItemMove([next], .after, item).changes(in: storage)
            for (id, change) in placed {
                guard let item = change.after else { continue }
                if id == next.id {
                    changes.upsert(item)
                } else if changes[id] != nil {
                    changes[id]?.after?.rank = item.rank
                } else {
                    changes[id] = change
                }
            }
        }
        return result
    }
}

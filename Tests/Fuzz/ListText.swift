import Foundation
import SheafList
import SheafTestSupport
import Swidux

@testable import SheafFormats
@testable import SheafStorage

/// Swift Testing has tags of its own.
typealias Tag = SheafList.Tag

/// A list, on its way into a text and back.
struct ListText {
    var items: [Item] = []
    var tags: [Tag] = []
    var views: [SavedView] = []

    init(items: [Item], tags: [Tag], views: [SavedView] = []) {
        self.views = views
        self.items = items
        self.tags = tags
    }

    /// The list that an import of `bytes` into an empty one makes, without the unreadable parts.
    init(_ bytes: some Sequence<UInt8>, _ format: ListFormat) throws {
        let parsed: ParsedList
        do {
            parsed = try format.parse(Data(bytes))
        } catch {
            // In UTF-16 it is no list.
            guard error.kind == .foreign else { throw error }
            self.init(items: [], tags: [])
            return
        }
        for error in parsed.errors + parsed.skippedText {
            try DisplayProperties.expectHarmless(error.description)
        }
        // Ids count, so that a run can be repeated.
        let ids = Counter()
        let plan = Importer(now: Fixtures.now, makeID: { ids.next() }).plan(
            parsed.list, tags: [], lastRank: nil, existing: [])
        self.init(
            items: plan.changes.items.upserts, tags: plan.changes.tags.upserts,
            views: plan.changes.views.upserts)
    }

    /// The list without the extras that another format keeps for itself.
    func without(_ isLeftOut: (Item.Extra) -> Bool) -> ListText {
        var list = self
        for index in list.items.indices { list.items[index].extras.removeAll(where: isLeftOut) }
        return list
    }

    /// The list written in pages.
    func text(_ form: ListWriter.Form) throws -> String {
        var bytes: [UInt8] = []
        var writer = ListWriter(form, tags: tags, rows: StorageChanges(views: views)) {
            bytes += $0
        }
        for start in stride(from: 0, to: items.count, by: 7) {
            try writer.write(items[start..<min(start + 7, items.count)])
        }
        try writer.finish()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Broken(description: "\(form) is written as no UTF-8")
        }
        return text
    }

    /// The content of each item to compare, byte for byte, except times.
    func content(_ tagName: (String) -> String = { $0 }) -> [[[UInt8]]] {
        let names = Dictionary(uniqueKeysWithValues: tags.map { ($0.id, tagName($0.name)) })
        return items.map { item in
            let tags = Set(item.tags.compactMap { names[$0].map { Array($0.utf8) } })
            return [item.name, item.note, item.isDone ? "done" : "open"].map { Array($0.utf8) }
                + tags.sorted { $0.lexicographicallyPrecedes($1) } + [[]]
                + item.extras.flatMap { [Array($0.key.utf8), Array($0.value.utf8)] }
                + TodoTask.fields.map { Array(($0.spelling.get(item) ?? "").utf8) }
        }
    }
}

/// - Throws: ``Broken`` that names the first item which `list` and `other` tell differently.
func expectSame(
    _ list: ListText, _ other: ListText, in text: String,
    tagName: (String) -> String = { $0 }
) throws {
    try expect(
        list.items.count == other.items.count,
        "\(list.items.count) items became \(other.items.count): \(text.debugDescription)")
    for (item, read) in zip(list.content(tagName), other.content(tagName)) where item != read {
        let spelled = [item, read].map { parts in
            parts.map { String(decoding: $0, as: UTF8.self).debugDescription }
                .joined(separator: " ")
        }
        throw Broken(
            description: "\(spelled[0]) became \(spelled[1]) in \(text.debugDescription)")
    }
}

/// Ids that count from 1.
private final class Counter: @unchecked Sendable {
    private var number = 0

    func next() -> UUID {
        number += 1
        return Fixtures.id(number)
    }
}

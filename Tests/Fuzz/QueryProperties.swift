import Foundation
import SheafTestSupport
import Swidux

@testable import SheafList

/// Any text is a query or is refused at a place in it, and the results of a query do not depend on
/// the way of searching.
enum QueryProperties {
    /// The lines are a query, another one, a name, a tag, and the note with all that is left.
    static func check(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        func line(_ number: Int) -> String { number < lines.count ? lines[number] : "" }
        let tags = Fixtures.tags([line(3), "+work", "@work", "home"])
        let items = items(name: line(2), note: line(4), tags: tags)
        for text in [line(0), line(1)] {
            for isFuzzy in [false, true] {
                guard let search = try search(for: text, isFuzzy, tags) else { continue }
                try found(by: search, among: items)
            }
        }
        try found(tagNamed: line(3))
        try matched(line(0), in: line(2))
        try matched(line(1), in: line(4))
    }

    private static func items(name: String, note: String, tags: [Tag]) -> [Item] {
        var items = Fixtures.items([name, name, note, "", "\(name) \(note)"])
        items[0].tags = [tags[0].id]
        items[1].note = note
        items[1].doneAt = Fixtures.now
        items[2].tags = Set(tags.map(\.id))
        items[2].due = CalendarDay("2023-11-14")
        items[3].due = CalendarDay("2023-11-17")
        items[3].scheduled = .last
        items[4].priority = .b
        items[4].repeat = Repeat("+1m")
        return items
    }

    /// A tag of any name is found by the term that asks for it.
    private static func found(tagNamed text: String) throws {
        guard let name = Tag.name(from: text) else { return }
        let tag = Fixtures.tags([name])[0]
        for term in [tag.queryTerm(), tag.queryTerm(isQuoted: true)]
        where term.utf8.count < QueryParser.longestText {
            let search = try ItemSearch(
                Query("-\(term)"), tags: [tag], now: Fixtures.now, calendar: .utc)
            try expect(search.askedTags == [tag.id], "\(term) does not find its tag")
        }
    }

    // MARK: Parsing

    /// The search for `text` with these tags, or nil if it is refused.
    private static func search(
        for text: String, _ isFuzzy: Bool, _ tags: [Tag]
    ) throws -> ItemSearch? {
        do {
            let query = try Query(text)
            var end = 0
            for term in query.terms {
                try expectPlace(term.place, in: text)
                try expect(
                    term.place.lowerBound >= end && !term.place.isEmpty,
                    "\(term) does not come after the term before")
                end = term.place.upperBound
            }
            return try ItemSearch(
                query, isFuzzy: isFuzzy, tags: tags, now: Fixtures.now, calendar: .utc)
        } catch let error as QueryError {
            try expectPlace(error.place, in: text)
            return nil
        }
    }

    /// - Throws: ``Broken`` unless a view can mark the place.
    private static func expectPlace(_ place: Range<Int>, in text: String) throws {
        var boundaries: Set = [0]
        var end = 0
        for scalar in text.unicodeScalars {
            end += UTF8.width(scalar)
            boundaries.insert(end)
        }
        try expect(
            boundaries.isSuperset(of: [place.lowerBound, place.upperBound]),
            "\(place) cuts a scalar of \(text.debugDescription)")
    }

    // MARK: Finding

    private static func found(by search: ItemSearch, among items: [Item]) throws {
        let plain = PlainSearch(search: search)
        try expect(
            search.found(in: items) == items.filter(plain.finds),
            "in a chunk it finds other items than one by one")
        for item in items {
            try expect(search.finds(item) == plain.finds(item), "\(item) alone")
            let letters = search.foundLetters(in: item.name)
            try expect(
                letters.isEmpty || letters.count == item.name.count,
                "\(letters.count) letters of \(item.name.debugDescription)")
            let isFound = search.root.positiveTexts.contains { $0.isFound(in: item.name) }
            try expect(
                letters.contains(true) == isFound,
                "found \(isFound), marked \(letters) in \(item.name.debugDescription)")
        }
    }

    // MARK: Letters in order

    private static func matched(_ word: String, in text: String) throws {
        let (word, text) = (FoldedText.bytes(of: word), FoldedText.bytes(of: text))
        let score = FuzzyMatch.score(of: word, in: text)
        let places = FuzzyMatch.places(of: word, in: text)
        try expect((score == nil) == (places == nil), "\(score as Any), \(places as Any)")
        guard let places else { return }
        try expect(
            zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(places)")
        func scalars(_ bytes: [UInt8]) -> String.UnicodeScalarView {
            String(decoding: bytes, as: UTF8.self).unicodeScalars
        }
        let found = places.compactMap { scalars(Array(text[$0...])).first }
        try expect(found == Array(scalars(word)), "other letters at \(places)")
    }
}

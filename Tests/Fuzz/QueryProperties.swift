import Foundation
import SheafTestSupport
import Swidux

@testable import SheafList

/// Any text is a query or is refused at a place in it, and what a query finds does not depend on
/// how it is looked for.
enum QueryProperties {
    /// The lines are a query, another one, a name, a tag, and the note with all that is left.
    static func check(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        func line(_ number: Int) -> String { number < lines.count ? lines[number] : "" }
        let tags = Fixtures.tags([line(3), "+work", "@work", "home"])
        let renamed = Fixtures.tags([line(2), "+work", "home", line(1)])
        let items = items(name: line(2), note: line(4), tags: tags)
        for words in [ItemSearch.WordRule.fuzzy, .part] {
            guard let search = try search(for: line(0), words, tags) else { continue }
            try found(by: search, among: items)
            for tags in [tags, renamed] {
                guard let other = try self.search(for: line(1), words, tags) else { continue }
                try narrowed(search, other, among: items)
                try narrowed(other, search, among: items)
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
                Query("-\(term)"), words: .part, tags: [tag], now: Fixtures.now, calendar: .utc)
            try expect(search.askedTags == [tag.id], "\(term) does not find its tag")
        }
    }

    // MARK: Parsing

    /// What `text` finds among these tags, or nil if it is refused.
    private static func search(
        for text: String, _ words: ItemSearch.WordRule, _ tags: [Tag]
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
                query, words: words, tags: tags, now: Fixtures.now, calendar: .utc)
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
        var matcher = ItemMatcher(search)
        for item in items {
            let score = matcher.score(of: item)
            try expect(score ?? 0 >= 0, "\(score as Any) points")
            var another = ItemMatcher(search)
            try expect(score == another.score(of: item), "it depends on the item before")
            let letters = another.foundLetters(in: item.name)
            try expect(
                letters.isEmpty || letters.count == item.name.count,
                "\(letters.count) letters of \(item.name.debugDescription)")
            var text = TextMatcher()
            let isFound = search.root.positiveTexts.contains {
                !$0.bytes.isEmpty && text.score($0, in: item.name) != nil
            }
            try expect(
                letters.contains(true) == isFound,
                "found \(isFound), marked \(letters) in \(item.name.debugDescription)")
        }
    }

    private static func narrowed(
        _ narrow: ItemSearch, _ wide: ItemSearch, among items: [Item]
    ) throws {
        guard narrow.narrows(wide) else { return }
        var (inner, outer) = (ItemMatcher(narrow), ItemMatcher(wide))
        for item in items where inner.includes(item) {
            try expect(outer.includes(item), "\(narrow) narrows \(wide) with \(item)")
        }
    }

    // MARK: Letters in order

    private static func matched(_ word: String, in text: String) throws {
        let (word, text) = (FoldedText.bytes(of: word), FoldedText.bytes(of: text))
        try matched(word, in: text)
        try matched(scalars(word), in: scalars(text))
    }

    private static func scalars(_ bytes: [UInt8]) -> [UInt32] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
    }

    private static func matched<Unit: FixedWidthInteger & UnsignedInteger>(
        _ word: [Unit], in text: [Unit]
    ) throws {
        try word.withUnsafeBufferPointer { word in
            try text.withUnsafeBufferPointer { text in
                var fuzzy = FuzzyMatch()
                let isThere = FuzzyMatch.contains(word, in: text)
                let score = fuzzy.score(of: word, in: text)
                try expect((score != nil) == isThere, "\(score as Any) points")
                let places = fuzzy.places(of: word, in: text)
                try expect((places != nil) == isThere, "\(places as Any)")
                guard let places else { return }
                try expect(places.map { text[$0] } == Array(word), "other letters at \(places)")
                try expect(
                    zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(places)")
            }
        }
    }
}

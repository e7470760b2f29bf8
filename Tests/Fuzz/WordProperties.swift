import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Terminal

@testable import SheafFormats
@testable import SheafStorage

/// The value that a single word spells, spells that word again.
enum WordProperties {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        try key(text)
        try store(text)
        try time(text, number: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        try id(text)
        try rank(text)
        try days(text)
        _ = ListFormat(fileName: text)
        let folded = Tag.fold(text)
        try expectSame(Tag.fold(folded), folded, "folded twice")
        let word = PercentText.encode(text)
        try expect(word.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }, "not a word: \(word)")
        try expectSame(PercentText.decode(word), text, "percent-encoded")
        try expectSame(
            PercentText.decode(PercentText.encode(text, without: ":=")), text, "without some")
    }

    private static func key(_ text: String) throws {
        guard let key = Key(text) else { return }
        try DisplayProperties.expectHarmless(key.label)
        // A name that cannot be shown has a label instead.
        guard DisplayText.sanitized(text).utf8.elementsEqual(text.utf8) else { return }
        try expect(Key(key.label) == key, "\(text.debugDescription) is labelled \(key.label)")
    }

    private static func store(_ text: String) throws {
        let url: StoreURL
        do { url = try StoreURL(text) } catch { return }
        try expect(try StoreURL(url.description) == url, "\(url)")
    }

    private static func time(_ text: String, number: Int64) throws {
        let times = [Timestamp(iso8601: text), Timestamp(milliseconds: number)]
        for time in times.compactMap(\.self) {
            try expect(Timestamp(iso8601: time.iso8601) == time, time.iso8601)
        }
    }

    /// A spelled day is spelled the same again, and a typed one is a day on any date.
    private static func days(_ text: String) throws {
        if let day = CalendarDay(text) { try expectSame(day.description, text, "a day") }
        if let rule = Repeat(text) { try expectSame(rule.description, text, "a repeat") }
        if let priority = Priority(text) {
            try expectSame(priority.description, text, "a priority")
        }
        do { _ = try Priority.typed(text) } catch {}
        var rule: Repeat?
        do { rule = try Repeat.typed(text) } catch {}
        if let rule {
            try expect(Repeat(rule.description) == rule, "\(rule)")
            try expect(
                try Repeat.typed(rule.words.replacing("it is ", with: "")) == rule, rule.words)
        }
        for today in todays {
            let days = Repeat.Days(due: .last, scheduled: today)
            _ = rule?.next(after: days, today: today)
            let typed: TypedDay
            do { typed = try TypedDay(text, today: today) } catch { continue }
            guard let day = typed.day else { continue }
            try expect(try TypedDay(day.description, today: today).day == day, "\(day)")
        }
    }

    private static let todays =
        [.first, .last] + ["2024-02-29", "2026-11-22"].compactMap(CalendarDay.init)

    private static func id(_ text: String) throws {
        let prefix: IDPrefix
        do { prefix = try IDPrefix(text) } catch { return }
        let digits = text.utf8.filter { $0 != 0x2d }
        let ends = [prefix.range.lowerBound, prefix.range.upperBound]
        for id in ends.map({ $0.uuidString.lowercased().replacing("-", with: "") }) {
            try expect(
                id.hasPrefix(String(decoding: digits, as: UTF8.self).lowercased()),
                "\(id) does not begin with \(text)")
        }
        try expect(prefix.isWhole == (digits.count == 32), "whole: \(text)")
    }

    private static func rank(_ text: String) throws {
        guard let rank = Rank(text: text) else { return }
        try expectSame(rank.text, text, "a rank")
        let (low, high) = (Rank.between(nil, rank), Rank.between(rank, nil))
        try expect(low < rank && rank < high, "\(low) \(rank) \(high)")
        let between = Rank.between(low, rank)
        try expect(low < between && between < rank, "\(low) \(between) \(rank)")
    }
}

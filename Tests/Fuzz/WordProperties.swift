import Foundation
import SheafCore
import SheafTestSupport
import Swidux
import Terminal

@testable import SheafFormats
@testable import SheafStorage

/// What is read of a single word says itself again.
enum WordProperties {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        try key(text)
        try store(text)
        try time(text, number: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        try id(text)
        try rank(text)
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
        // What cannot be shown has a label that stands for it.
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

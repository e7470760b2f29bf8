import SheafList
import SheafStorage
import SheafTestSupport

/// Texts and items by chance, of the kind that breaks escaping.
enum RandomText {
    static func text(using generator: inout SplitMix64) -> String {
        if Bool.random(using: &generator) {
            return Fixtures.nastyTexts.filter { $0.count < 100 }.randomElement(using: &generator)!
        }
        var text = ""
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let limit: UInt32 = [0x80, 0x100, 0x2100, 0x11_0000].randomElement(using: &generator)!
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    static func item(_ number: Int, tags: [Tag], using generator: inout SplitMix64) -> Item {
        let isDone = Bool.random(using: &generator)
        func time() -> Timestamp {
            Timestamp(milliseconds: .random(in: -1 << 50...1 << 50, using: &generator))
        }
        let extras = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            Item.Extra(key: text(using: &generator), value: text(using: &generator))
        }
        return Item(
            id: Fixtures.itemID(number), name: "x" + text(using: &generator),
            note: text(using: &generator),
            tags: Set(tags.filter { _ in Bool.random(using: &generator) }.map(\.id)),
            doneAt: isDone ? time() : nil, rank: Fixtures.rank(number), createdAt: time(),
            updatedAt: time(),
            extras: extras)
    }
}

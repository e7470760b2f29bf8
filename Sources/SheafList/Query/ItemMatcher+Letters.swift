/// Which letters of a name or a tag a search found: what a view marks.
extension ItemMatcher {
    /// For each grapheme of `name` whether a text of the search was found there, in the way that
    /// counts; empty if none was found in the name. O(name × words).
    public func foundLetters(in name: String) -> [Bool] {
        Self.letters(of: search.root.positiveTexts, in: name)
    }

    /// The same for the label of `tag`: all of it where the search asks for the tag itself.
    public func foundLetters(inLabelOf tag: Tag) -> [Bool] {
        let label = tag.label
        if search.root.positiveTags.contains(tag.id) {
            return Array(repeating: true, count: label.count)
        }
        return Self.letters(
            of: search.root.positiveTexts.filter { $0.tags[tag.id] != nil }, in: label)
    }

    /// Whether one of the texts of the search was found in the label of `tag`. O(words).
    public func findsText(inLabelOf tag: Tag) -> Bool {
        search.root.positiveTexts.contains { $0.tags[tag.id] != nil }
    }

    private static func letters(of texts: [TextSearch], in name: String) -> [Bool] {
        guard !texts.isEmpty else { return [] }
        var found: [Bool] = []
        for heedsCase in [false, true] where texts.contains(where: { $0.heedsCase == heedsCase }) {
            let folded = FoldedGraphemes(name, keepsCase: heedsCase)
            for text in texts where text.heedsCase == heedsCase {
                for grapheme in folded.graphemes(of: text) {
                    if found.isEmpty { found = Array(repeating: false, count: folded.count) }
                    found[grapheme] = true
                }
            }
        }
        return found
    }
}

/// A folded text of which each unit knows the grapheme that it came from.
private struct FoldedGraphemes {
    private var bytes: [UInt8] = []
    private var owners: [Int] = []
    let count: Int

    init(_ text: String, keepsCase: Bool) {
        var count = 0
        for grapheme in text {
            FoldedText.append(String(grapheme), keepsCase: keepsCase, to: &bytes)
            owners.append(
                contentsOf: repeatElement(count, count: bytes.count - owners.count))
            count += 1
        }
        self.count = count
    }

    /// The graphemes in which `text` is found, or none.
    func graphemes(of text: TextSearch) -> [Int] {
        if text.rule == .letters && !text.scalars.isEmpty { return scalarGraphemes(of: text) }
        return bytes.withUnsafeBufferPointer { bytes in
            text.bytes.withUnsafeBufferPointer { word in
                places(of: word, in: bytes, text.rule).map { owners[$0] }
            }
        }
    }

    private func scalarGraphemes(of text: TextSearch) -> [Int] {
        var scalars: [UInt32] = []
        var scalarOwners: [Int] = []
        var index = 0
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            scalars.append(scalar.value)
            scalarOwners.append(owners[index])
            index += UTF8.width(scalar)
        }
        return scalars.withUnsafeBufferPointer { scalars in
            text.scalars.withUnsafeBufferPointer { word in
                places(of: word, in: scalars, .letters).map { scalarOwners[$0] }
            }
        }
    }

    private func places<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>,
        _ rule: TextSearch.Rule
    ) -> [Int] {
        if rule == .letters {
            var match = FuzzyMatch()
            return match.places(of: word, in: text) ?? []
        }
        guard let place = TextPart.place(of: word, in: text, rule) else { return [] }
        return Array(place..<place + word.count)
    }
}

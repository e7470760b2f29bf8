/// The letters of a name or a tag that a search found, for highlighting on the screen.
extension ItemSearch {
    /// Returns, for each grapheme of `name`, whether a text of the search was found there. The
    /// matches are those that the ranking counts. Returns an empty array if no text is in the name.
    /// O(name × words).
    package func foundLetters(in name: String) -> [Bool] {
        Self.letters(of: root.positiveTexts, in: name)
    }

    /// Returns the found graphemes in the label of `tag`: all of them if the search asks for that
    /// tag.
    package func foundLetters(inLabelOf tag: Tag) -> [Bool] {
        let label = tag.label
        if root.positiveTags.contains(tag.id) {
            return Array(repeating: true, count: label.count)
        }
        return Self.letters(of: root.positiveTexts.filter { $0.tags.contains(tag.id) }, in: label)
    }

    /// Returns true if the label of `tag` contains one of the texts of the search. O(words).
    package func findsText(inLabelOf tag: Tag) -> Bool {
        root.positiveTexts.contains { $0.tags.contains(tag.id) }
    }

    /// Returns true if `note` contains one of the texts of the search. O(note × words).
    package func findsText(inNote note: String) -> Bool {
        let folded = FoldedText.bytes(of: note)
        return root.positiveTexts.contains { folded.firstRange(of: $0.bytes) != nil }
    }

    /// Returns the score that ranks fuzzy matches: the sum of the scores of the words in the name.
    func points(of item: Item) -> Int {
        let name = FoldedText.bytes(of: item.name)
        return root.positiveTexts.reduce(0) { sum, text in
            sum + (FuzzyMatch.score(of: text.bytes, in: name) ?? 0)
        }
    }

    /// Returns the score of a name that contains the letters of every word in order, or `nil`.
    /// O(name × words).
    package func score(ofName name: String) -> Int? {
        let name = FoldedText.bytes(of: name)
        var sum = 0
        for text in root.positiveTexts {
            guard let points = FuzzyMatch.score(of: text.bytes, in: name) else { return nil }
            sum += points
        }
        return sum
    }

    private static func letters(of texts: [TextSearch], in name: String) -> [Bool] {
        guard !texts.isEmpty else { return [] }
        var (bytes, owners, count): ([UInt8], [Int], Int) = ([], [], 0)
        for grapheme in name {
            FoldedText.append(String(grapheme), to: &bytes)
            owners.append(contentsOf: repeatElement(count, count: bytes.count - owners.count))
            count += 1
        }
        var found: [Bool] = []
        for text in texts {
            for place in places(of: text, in: bytes) {
                if found.isEmpty { found = Array(repeating: false, count: count) }
                found[owners[place]] = true
            }
        }
        return found
    }

    /// Returns the positions of the bytes that match a text in a folded name, or none.
    private static func places(of text: TextSearch, in name: [UInt8]) -> [Int] {
        if text.isFuzzy { return FuzzyMatch.places(of: text.bytes, in: name) ?? [] }
        var best: (range: Range<Int>, matchClass: UInt8)?
        let starts = name.indices.filter { name[$0...].starts(with: text.bytes) }
        for range in starts.map({ $0..<$0 + text.bytes.count }) {
            let matchClass = name.withUnsafeBufferPointer { MatchClass.of(range, in: $0) }
            if matchClass > best?.matchClass ?? 0 { best = (range, matchClass) }
        }
        return best.map { Array($0.range) } ?? []
    }
}

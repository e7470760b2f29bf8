/// Which items the list shows: a tag, words and whether done items count, all at once.
public struct ItemFilter: Hashable, Sendable {
    public var choice: TagChoice
    public var words: [Needle]
    public var hidesDone: Bool

    /// The filter that `text`, words between white space, asks for.
    public init(choice: TagChoice = .all, text: String = "", hidesDone: Bool = false) {
        self.choice = choice
        words = text.split(whereSeparator: \.isWhitespace).map { Needle(String($0)) }
        self.hidesDone = hidesDone
    }

    /// Whether `item` is shown. O(name).
    public func includes(_ item: Item) -> Bool {
        if hidesDone && item.isDone { return false }
        switch choice {
        case .all: break
        case .untagged: if !item.tags.isEmpty { return false }
        case .tag(let id): if !item.tags.contains(id) { return false }
        }
        return words.allSatisfy { $0.isFound(in: item.name) }
    }

    /// Whether every item that `self` shows is also shown by `other`: then it is enough to look at
    /// those.
    public func narrows(_ other: ItemFilter) -> Bool {
        (choice == other.choice || other.choice == .all)
            && (hidesDone || !other.hidesDone)
            && other.words.allSatisfy { old in words.contains { old.isFound(in: $0) } }
    }
}

/// A word to look for in names, whatever its case.
public struct Needle: Hashable, Sendable {
    /// UTF-8 of the word in lower case and NFC.
    private let bytes: [UInt8]
    private let isASCII: Bool

    public init(_ word: String) {
        bytes = Array(Self.folded(word).utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    /// Whether `text` contains the word. O(text × word) at worst, and without allocation where both
    /// are ASCII.
    public func isFound(in text: String) -> Bool {
        guard !bytes.isEmpty else { return true }
        var text = text
        return text.withUTF8 { haystack in
            if isASCII && haystack.allSatisfy({ $0 < 0x80 }) {
                return contains(haystack, folding: true)
            }
            return isFound(inFolded: Self.folded(String(decoding: haystack, as: UTF8.self)))
        }
    }

    /// Whether the word that `other` looks for contains this one.
    func isFound(in other: Needle) -> Bool {
        other.bytes.withUnsafeBufferPointer { contains($0, folding: false) }
    }

    private func isFound(inFolded text: String) -> Bool {
        var text = text
        return text.withUTF8 { contains($0, folding: false) }
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().precomposed
    }

    private func contains(_ haystack: UnsafeBufferPointer<UInt8>, folding: Bool) -> Bool {
        guard bytes.count > 0, haystack.count >= bytes.count else { return bytes.isEmpty }
        func folded(_ byte: UInt8) -> UInt8 {
            folding && byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
        }
        return bytes.withUnsafeBufferPointer { needle in
            let first = needle[0]
            for start in 0...(haystack.count - needle.count) where folded(haystack[start]) == first
            {
                var matched = 1
                while matched < needle.count,
                    folded(haystack[start + matched]) == needle[matched]
                {
                    matched += 1
                }
                if matched == needle.count { return true }
            }
            return false
        }
    }
}

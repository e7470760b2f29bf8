/// The importance of an item, as in todo.txt: from `A`, the highest, to `Z`.
package enum Priority: UInt8, CaseIterable, Comparable, Sendable, LosslessStringConvertible {
    case a = 0x41
    case b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z

    /// Creates the priority of one upper-case letter.
    package init?(_ text: String) {
        guard text.utf8.count == 1, let letter = text.utf8.first else { return nil }
        self.init(rawValue: letter)
    }

    /// The letter.
    package var description: String { String(UnicodeScalar(rawValue)) }

    /// Returns true if the first one is more important: `a` is less than `b`.
    package static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Priority {
    /// Returns the priority that a user typed, in any case, with or without parentheses; nil for
    /// `none`.
    package static func typed(_ text: String) throws(TypedError) -> Priority? {
        let word = text.trimmed.uppercased()
        if word == "NONE" { return nil }
        if let priority = Priority(word) { return priority }
        if word.count == 3, word.hasPrefix("("), word.hasSuffix(")"),
            let priority = Priority(String(word.dropFirst().dropLast()))
        {
            return priority
        }
        throw TypedError("expected a letter from A to Z, or none")
    }
}

/// The reason why typed text is not valid, as part of a sentence.
package struct TypedError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}

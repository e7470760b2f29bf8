/// After a merge, a query may name one tag twice: `+House NOT @house` becomes `+House NOT +House`,
/// which finds nothing.
extension TagRenaming {
    /// Returns a query without repeated terms: those that name one of the tags `ids` although
    /// another term of the same group does. If a conjunction both asks for a tag and excludes it,
    /// the exclusion is removed, because the tag that it excluded no longer exists. O(terms ·
    /// text).
    func withoutRepetitions(_ text: String, of ids: Set<Tag.ID>) -> String {
        var text = text
        do {
            var query = try Query(text)
            while let operand = repetition(in: query, of: ids) {
                var bytes = Array(text.utf8)
                bytes.removeSubrange(bytes.place(of: operand))
                let shorter = String(decoding: bytes, as: UTF8.self)
                let rest = try Query(shorter)
                guard rest.terms.count == query.terms.count - 1 else { return text }
                (text, query) = (shorter, rest)
            }
        } catch {
            // Without the term, the text is not a valid query, so the term stays.
        }
        return text
    }

    /// A tag that a query asks for or excludes.
    fileprivate struct Operand {
        let tag: Tag.ID
        let isExcluded: Bool
        /// The place of the tag's name, in bytes of UTF-8.
        let place: Range<Int>
    }

    private func repetition(in query: Query, of ids: Set<Tag.ID>) -> Operand? {
        switch query {
        case .everything, .term: return nil
        case .not(let query): return repetition(in: query, of: ids)
        case .and(let queries): return repetition(among: queries, of: ids, isConjunction: true)
        case .or(let queries): return repetition(among: queries, of: ids, isConjunction: false)
        }
    }

    private func repetition(
        among queries: [Query], of ids: Set<Tag.ID>, isConjunction: Bool
    ) -> Operand? {
        var operands: [Operand] = []
        for query in queries {
            guard let operand = operand(query), ids.contains(operand.tag) else {
                if let inner = repetition(in: query, of: ids) { return inner }
                continue
            }
            for other in operands where other.tag == operand.tag {
                if other.isExcluded == operand.isExcluded { return operand }
                if isConjunction { return other.isExcluded ? other : operand }
            }
            operands.append(operand)
        }
        return nil
    }

    private func operand(_ query: Query) -> Operand? {
        switch query {
        case .term(let term):
            guard case .tag(let name) = term.kind, let tag = meaning(of: name) else { return nil }
            return Operand(tag: tag, isExcluded: false, place: term.place)
        case .not(.term(let term)):
            guard case .tag(let name) = term.kind, let tag = meaning(of: name) else { return nil }
            return Operand(tag: tag, isExcluded: true, place: term.place)
        default: return nil
        }
    }
}

extension [UInt8] {
    /// Returns the place of an operand with its NOT, and with the operator that joins it to the
    /// others of its group.
    fileprivate func place(of operand: TagRenaming.Operand) -> Range<Int> {
        var (start, end) = (operand.place.lowerBound, operand.place.upperBound)
        if operand.isExcluded {
            let hyphen = start > 0 && self[start - 1] == UInt8(ascii: "-")
            start = hyphen ? start - 1 : self.start(ofWord: "NOT", before: start) ?? start
        }
        let former = endOfText(before: start)
        if former > 0, self[former - 1] != UInt8(ascii: "(") {
            let joining = ["AND", "OR"].compactMap { self.start(ofWord: $0, before: former) }.first
            return endOfText(before: joining ?? former)..<end
        }
        end = startOfText(after: end)
        for word in ["AND", "OR"] where self[end...].starts(with: word.utf8) {
            let rest = startOfText(after: end + word.utf8.count)
            if rest > end + word.utf8.count { end = rest }
        }
        return start..<end
    }

    private func endOfText(before place: Int) -> Int {
        (self[..<place].lastIndex { $0 != 0x20 }).map { $0 + 1 } ?? 0
    }

    private func startOfText(after place: Int) -> Int {
        self[place...].firstIndex { $0 != 0x20 } ?? count
    }

    /// Returns the start of `word` if it is the last word before `place`.
    private func start(ofWord word: String, before place: Int) -> Int? {
        let end = endOfText(before: place)
        let start = end - word.utf8.count
        guard start >= 0, self[start..<end].elementsEqual(word.utf8),
            start == 0 || [0x20, UInt8(ascii: "("), UInt8(ascii: ")")].contains(self[start - 1])
        else { return nil }
        return start
    }
}

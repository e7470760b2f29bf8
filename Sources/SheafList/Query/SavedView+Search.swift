extension SavedView {
    /// Returns the search of the view in a list: its query, its tag, and its filter on done items.
    ///
    /// - Parameters:
    ///   - tags: All tags of the list. If the view's tag is not among them, the search covers all
    ///     tags.
    ///   - now: The time from which ages count.
    /// - Throws: ``QueryError`` if the query is invalid, or cannot be answered in this list.
    package func search(
        tags: [Tag], now: Timestamp, calendar: LocalCalendar
    ) throws(QueryError) -> ItemSearch {
        let search = try ItemSearch(
            try Query(query), tags: tags, now: now, calendar: calendar
        ).and(hidesDone ? .state(.open) : .everything)
        return switch choice {
        case .all: search
        case .untagged: search.and(.state(.untagged))
        case .tag(let id): tags.contains { $0.id == id } ? search.and(.tag(id)) : search
        }
    }

    /// Returns the words of the query that ask for tags of `ids`, each once and as typed. Returns
    /// none if the query is invalid. O(tags) for each tag that the query asks for.
    ///
    /// - Parameter tags: All tags of the list, including those of `ids`.
    package func words(for ids: Set<Tag.ID>, among tags: [Tag]) -> [String] {
        do {
            let bytes = Array(query.utf8)
            var words: Set<String> = []
            return try Query(query).terms.compactMap { term in
                let isMeant: Bool
                switch term.kind {
                case .tag(let name):
                    let meant = tags.meant(by: name)
                    isMeant = !meant.isEmpty && meant.allSatisfy { ids.contains($0.id) }
                case .tagsBelow(let name):
                    isMeant = tags.meant(below: name).contains { ids.contains($0.id) }
                default: isMeant = false
                }
                let word = String(decoding: bytes[term.place], as: UTF8.self)
                return isMeant && words.insert(word).inserted ? word : nil
            }
        } catch {
            return []
        }
    }
}

extension SavedView {
    /// What the view finds in a list: its query, the chosen tag and whether done items show.
    ///
    /// - Parameters:
    ///   - tags: all tags of the list. A view whose tag is not among them finds the items of all.
    ///   - now: the time that ages are counted from.
    /// - Throws: ``QueryError`` if the query is none, or cannot be answered in this list.
    public func search(
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

    /// The words by which the query asks for tags of `ids`, each once and as it was typed; none
    /// where it is no valid query. O(tags) for each tag that it asks for.
    ///
    /// - Parameter tags: all tags of the list, those included.
    public func words(for ids: Set<Tag.ID>, among tags: [Tag]) -> [String] {
        do {
            let bytes = Array(query.utf8)
            var words: Set<String> = []
            return try Query(query).terms.compactMap { term in
                switch term.kind {
                case .tag(let name):
                    let meant = tags.meant(by: name)
                    guard !meant.isEmpty, meant.allSatisfy({ ids.contains($0.id) }) else {
                        return nil
                    }
                case .tagsBelow(let name):
                    guard tags.meant(below: name).contains(where: { ids.contains($0.id) }) else {
                        return nil
                    }
                default: return nil
                }
                let word = String(decoding: bytes[term.place], as: UTF8.self)
                return words.insert(word).inserted ? word : nil
            }
        } catch {
            return []
        }
    }
}

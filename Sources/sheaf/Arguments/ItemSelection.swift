import SheafApp

/// Which items a command is about, and in which order: what its arguments say, before the list is
/// known that they say it of.
struct ItemSelection: Sendable {
    /// The query as it was typed.
    let text: String
    private let query: Query
    var sort = ItemSort.manual
    var isReversed = false

    /// - Parameter isStrict: true to refuse a word that begins nearly like a field. Else standard
    ///   error has a hint.
    /// - Throws: ``CommandFailure``, `.usage`, if `text` is no query.
    init(query text: String, isStrict: Bool = false) throws {
        self.text = text
        do throws(QueryError) {
            query = try Query(text)
            guard let misspelling = query.misspellings.first else { return }
            if isStrict { throw misspelling }
            let hint = CommandFailure(misspelling, in: text)
            Diagnostics.report(hint.description, details: hint.details)
        } catch {
            throw CommandFailure(error, in: text)
        }
    }

    /// Whether nothing is asked for, so that every item is meant.
    var isEmpty: Bool { query == .everything }

    /// ``Query/asksForScheduled``.
    var asksForScheduled: Bool { query.asksForScheduled }

    /// What the query means in a list with these tags at this moment. On the command line a bare
    /// word is a substring, in any case.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, for what cannot be asked of the list.
    func search(
        in tags: [Tag], now: Timestamp = .now, calendar: LocalCalendar = .system
    ) throws -> ItemSearch {
        do throws(QueryError) {
            return try ItemSearch(query, tags: tags, now: now, calendar: calendar)
        } catch {
            throw CommandFailure(error, in: text)
        }
    }

    /// The order in a list with these tags.
    func order(in tags: [Tag]) -> ItemOrder {
        ItemOrder(sort, isReversed: isReversed, tags: tags)
    }
}

extension CommandFailure {
    /// The failure for what is wrong in a query: the reason, the query, and a mark below the place.
    init(_ error: QueryError, in query: String) {
        let excerpt = QueryExcerpt(query, marking: error.place)
        self.init(.usage, "query: \(error.reason)", details: [excerpt.text, excerpt.mark])
    }
}

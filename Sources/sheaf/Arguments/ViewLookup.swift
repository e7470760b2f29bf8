import SheafList

/// Finds the saved views that arguments mean: by name, or by the first digits of an id.
struct ViewLookup: Sendable {
    /// All views of the list, in their order.
    let views: [SavedView]

    /// The view that `argument` means: the one of this name, or else the one whose id begins so.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or several.
    func view(_ argument: String) throws -> SavedView {
        let folded = Tag.fold(argument)
        let named = views.filter { $0.foldedName == folded }
        let fitting = named.isEmpty ? views.filter { isMeant($0, by: argument) } : named
        guard let view = fitting.first else {
            throw CommandFailure(
                .failure,
                "\(quoted(argument)): no such view; 'sheaf view list' shows all.")
        }
        guard fitting.count == 1 else {
            throw CommandFailure(
                .failure,
                "\(quoted(argument)): this may be any of several views; give more of an id.",
                details: fitting.prefix(5).map {
                    "\($0.id.uuidString.lowercased())  \(quoted($0.name))"
                })
        }
        return view
    }

    /// The views that `arguments` mean, each once.
    func views(_ arguments: [String]) throws -> [SavedView] {
        var seen: Set<SavedView.ID> = []
        return try arguments.map(view).filter { seen.insert($0.id).inserted }
    }

    /// The name that `argument` gives the view `id`, or a new one.
    ///
    /// - Throws: ``CommandFailure`` if it gives none, or another view has it.
    func freeName(_ argument: String, for id: SavedView.ID? = nil) throws -> String {
        let name = try Self.name(argument)
        if let other = views.first(named: name, except: id) {
            throw CommandFailure(
                .failure, "A view \(quoted(other.name)) already exists. Nothing was changed.")
        }
        return name
    }

    /// The name that `argument` gives a view.
    ///
    /// - Throws: ``CommandFailure`` if it gives none.
    static func name(_ argument: String) throws -> String {
        guard let name = SavedView.name(from: argument) else {
            throw CommandFailure(.usage, "The name of a view cannot be blank.")
        }
        return name
    }

    private func isMeant(_ view: SavedView, by argument: String) -> Bool {
        do {
            return try IDPrefix(argument).range.contains(view.id)
        } catch {
            return false
        }
    }
}

extension SavedView {
    /// What it finds in a list with these tags.
    ///
    /// - Throws: ``CommandFailure`` if its query cannot be answered there.
    func found(in tags: [Tag]) throws -> ItemSearch {
        do {
            return try search(tags: tags, now: .now, calendar: .system)
        } catch {
            throw CommandFailure(
                .failure, "The query of the view \(quoted(name)) cannot be answered: \(error)")
        }
    }
}

/// How queries name tags.
extension Tag {
    /// The name by which a query asks for it: `#book`, `+garden`, `#"to read"`.
    var queryTerm: String {
        let label = label
        let isPlain =
            label.dropFirst().first != "\""
            && !label.contains { $0.isWhitespace || $0 == "(" || $0 == ")" }
        return isPlain
            ? label : "\(label.prefix(1))\"\(label.dropFirst().replacing("\"", with: "\"\""))\""
    }
}

extension [Tag] {
    /// The tags that a query may mean by a name with a sigil; accents may be left out where no tag
    /// has the name without them. O(tags).
    func meant(by name: String) -> [Tag] {
        let exact = named(by: name)
        return exact.isEmpty ? named(by: name, folded: FoldedText.text(of:)) : exact
    }
}

extension Query {
    /// The text of a query with `new`'s name wherever it asks for `old` by name. What is no query
    /// stays as it is. O(text × tags).
    ///
    /// - Parameter tags: those among which the names are understood, with `old`.
    static func text(
        _ text: String, renaming old: Tag, to new: Tag, among tags: [Tag]
    ) -> String {
        guard let query = try? Query(text) else { return text }
        var bytes = Array(text.utf8)
        for term in query.terms.reversed() {
            guard case .tag(let name) = term.kind, tags.meant(by: name) == [old] else { continue }
            bytes.replaceSubrange(term.place, with: new.queryTerm.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SavedView {
    /// The same with `new`'s name where its query asks for `old` by name. O(query × tags).
    ///
    /// - Parameter tags: those among which the names are understood, with `old`.
    public func renaming(_ old: Tag, to new: Tag, among tags: [Tag]) -> SavedView {
        var view = self
        view.query = Query.text(query, renaming: old, to: new, among: tags)
        return view
    }
}

import SheafList

extension ImportedItem {
    /// A text that is equal for equal items. Ignores the id.
    package var content: String { "\(draft.content)\(tags ?? [])\(done.map { "\($0)" } ?? "")" }
}

extension ImportedEntity {
    /// A text that is equal for equal entities. Ignores the id.
    package var content: String { "\(draft.content)\(tags.sorted { $0.key < $1.key })" }
}

extension ListEntity {
    /// A text that is equal for entities with equal fields. Ignores the id and the tags.
    fileprivate var content: String {
        var bytes: [UInt8] = []
        EntityJSON(Self.fields, hasID: false).append(self, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

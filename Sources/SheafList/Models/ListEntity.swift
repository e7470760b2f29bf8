import FoundationEssentials
@_exported import Swidux

/// What a list is made of: an item, a tag or a saved view.
///
/// Made from an id alone, every field has its default; all that it says is in its fields.
public protocol ListEntity: Ranked, Hashable, Sendable where ID == UUID {
    init(id: UUID)

    /// Each property but the id, once.
    static var fields: [Field<Self>] { get }
}

extension Item: ListEntity {}
extension Tag: ListEntity {}
extension SavedView: ListEntity {}

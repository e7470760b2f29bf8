/// The place of an entity store: in the state, or in the changes that are committed.
///
/// Ids are unique within one store only, so an entity is known by both. Unchecked, since a key path
/// is immutable, and this one is only compared.
struct StorePath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath

    init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }
}

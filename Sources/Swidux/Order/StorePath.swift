/// The key path of an entity store, in the state or in the changes to commit.
///
/// Ids are unique only within one store, so an entity is identified by its id and this path.
/// Unchecked because `AnyKeyPath` is not Sendable; it is immutable, and is only compared.
struct StorePath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath

    init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }
}

/// The changes of stores that are known only at run time, each under a name. ``StateWriter`` and
/// `Kept` use it, so that applications need not declare a type for their changes.
public struct NamedChanges: Sendable {
    /// The name of a store, with the type of its entities.
    package struct Name<Entity>: Hashable, Sendable {
        let text: String

        package init(text: String) { self.text = text }
    }

    private var changes: [String: any Sendable] = [:]

    /// Creates a value without changes.
    package init() {}

    /// The changes of the store with this name.
    package subscript<Entity>(name: Name<Entity>) -> EntityChanges<Entity> {
        get { changes[name.text] as? EntityChanges<Entity> ?? EntityChanges() }
        set { changes[name.text] = newValue }
    }
}

/// The changes of stores that are listed when the program runs, under a name for each: for
/// ``StateWriter`` and `Kept`, whose users declare no type of changes.
public struct NamedChanges: Sendable {
    /// The name of a store, with the type of its entities.
    package struct Name<Entity>: Hashable, Sendable {
        let text: String

        package init(text: String) { self.text = text }
    }

    private var changes: [String: any Sendable] = [:]

    /// No changes.
    package init() {}

    /// The changes of the store with this name.
    package subscript<Entity>(name: Name<Entity>) -> EntityChanges<Entity> {
        get { changes[name.text] as? EntityChanges<Entity> ?? EntityChanges() }
        set { changes[name.text] = newValue }
    }
}

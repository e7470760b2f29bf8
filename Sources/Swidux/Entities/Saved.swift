/// A property of the state that is saved and undone like an entity, for example settings.
///
/// ```swift
/// struct AppState {
///     @Saved var settings = Settings()
/// }
/// Kept("settings", \.$settings)
/// BatchWriter(keyPath: \.$settings, into: \Changes.settings)
/// UndoTrack(\.$settings)
/// ```
///
/// The value is the only entity of an ``EntityStore``, which is the projected value. If storage has
/// no value, or deletes it, the property has its initial value.
@propertyWrapper
public struct Saved<Value: Equatable & Sendable>: Sendable {
    /// The store whose only entity is the value.
    public var projectedValue: EntityStore<SavedValue<Value>>
    private let initial: Value

    /// Creates a property that begins with `wrappedValue`.
    public init(wrappedValue: Value) {
        initial = wrappedValue
        projectedValue = EntityStore([SavedValue(wrappedValue)])
    }

    /// The value. Setting another one records a change. O(1).
    public var wrappedValue: Value {
        get { projectedValue[0]?.value ?? initial }
        set { projectedValue[0] = SavedValue(newValue) }
    }
}

/// Equality compares the values.
extension Saved: Equatable {
    public static func == (lhs: Saved, rhs: Saved) -> Bool {
        lhs.wrappedValue == rhs.wrappedValue
    }
}

/// The entity that storage receives for the value of a ``Saved`` property.
public struct SavedValue<Value: Equatable & Sendable>: Identifiable, Equatable, Sendable {
    /// Always 0, because the value is the only one in its store.
    public var id: Int { 0 }
    /// The value itself.
    public var value: Value

    /// Wraps a value for a store.
    public init(_ value: Value) { self.value = value }
}

/// Encoded as the value alone.
extension SavedValue: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// The differences between two values of a state, one line for each part, so that they stay
/// readable for a large state.
///
/// ```
/// items ~ 3F2A…: name: "Milk" → "Oat milk"
/// items + 9B1C…: Item(id: 9B1C…, name: "Bread")
/// ui.selection: nil → Optional(9B1C…)
/// ```
///
/// For an ``EntityStore``, only the changed entities are listed, which costs O(changes) if one
/// value was made from the other. An ``EntityView`` is left out, because it is derived from a
/// store. Structures are compared part by part. If a structure is `CustomStringConvertible` and its
/// descriptions differ, the line shows these descriptions. All other values are compared by their
/// descriptions.
package struct StateDifference: Sendable, Hashable, CustomStringConvertible {
    /// A line for each difference, in the order of the state's properties.
    package private(set) var lines: [String] = []

    /// Computes the differences between `old` and `new`.
    package init<Value>(from old: Value, to new: Value) {
        compare(old, new, path: "")
    }

    /// Computes the differences between two values that are unequal by `==`. Never empty, even if
    /// both values have the same description, such as two NaN values.
    package init<Value: Equatable>(ofUnequal old: Value, _ new: Value) {
        compare(old, new, path: "")
        if lines.isEmpty { lines = [Self.unequal(old, new, path: "")] }
    }

    /// True if there are no differences.
    package var isEmpty: Bool { lines.isEmpty }

    package var description: String { lines.joined(separator: "\n") }

    /// The maximum length of a description. Longer ones are cut.
    private static let lengthLimit = 160

    private mutating func compare(_ old: Any, _ new: Any, path: String) {
        if let new = new as? any DifferenceReporting {
            lines += new.differences(from: old).map { "\(path) \($0)" }
            return
        }
        let (oldMirror, newMirror) = (Mirror(reflecting: old), Mirror(reflecting: new))
        switch newMirror.displayStyle {
        case .struct where !newMirror.children.isEmpty, .tuple:
            if new is any CustomStringConvertible, compareTexts(old, new, path: path) { return }
            for (oldChild, newChild) in zip(oldMirror.children, newMirror.children) {
                let label = newChild.label ?? "?"
                compare(
                    oldChild.value, newChild.value,
                    path: path.isEmpty ? label : "\(path).\(label)")
            }
        case .collection, .set, .dictionary:
            compareElements(oldMirror, newMirror, path: path)
        case .class:
            guard old as AnyObject !== new as AnyObject else { return }
            lines.append("\(path): another \(newMirror.subjectType)")
        default:
            _ = compareTexts(old, new, path: path)
        }
    }

    /// Adds a line and returns true if the descriptions differ.
    private mutating func compareTexts(_ old: Any, _ new: Any, path: String) -> Bool {
        let (oldText, newText) = (String(reflecting: old), String(reflecting: new))
        guard oldText != newText else { return false }
        lines.append("\(path): \(Self.cut(oldText)) → \(Self.cut(newText))")
        return true
    }

    private mutating func compareElements(_ old: Mirror, _ new: Mirror, path: String) {
        var (oldTexts, newTexts) = (
            old.children.map { String(reflecting: $0.value) },
            new.children.map { String(reflecting: $0.value) }
        )
        guard oldTexts != newTexts else { return }
        if new.displayStyle != .collection {
            oldTexts.sort()
            newTexts.sort()
        }
        for change in newTexts.difference(from: oldTexts) {
            switch change {
            case .remove(_, let text, _): lines.append("\(path) - \(Self.cut(text))")
            case .insert(_, let text, _): lines.append("\(path) + \(Self.cut(text))")
            }
        }
    }

    /// Returns a line that names the smallest part in which two unequal values with the same
    /// description differ.
    private static func unequal<Value: Equatable>(
        _ old: Value, _ new: Value, path: String
    ) -> String {
        let parts = zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
        for (index, (oldPart, newPart)) in parts.enumerated() {
            guard let oldValue = oldPart.value as? any Equatable else { continue }
            let label = newPart.label ?? "[\(index)]"
            let partPath = path.isEmpty ? label : "\(path).\(label)"
            if let line = line(oldValue, newPart.value, path: partPath) { return line }
        }
        let prefix = path.isEmpty ? "" : "\(path): "
        return "\(prefix)unequal values that print alike, \(cut(String(reflecting: new)))"
    }

    /// Returns the result of ``unequal(_:_:path:)``, or nil if the values are equal.
    private static func line<Value: Equatable>(
        _ old: Value, _ new: Any, path: String
    ) -> String? {
        guard let new = new as? Value, old != new else { return nil }
        return unequal(old, new, path: path)
    }

    static func cut(_ text: String) -> String {
        text.count > lengthLimit ? text.prefix(lengthLimit - 1) + "…" : text
    }
}

/// A part of a state that lists its differences from an older value better than reflection can.
protocol DifferenceReporting {
    func differences(from older: Any) -> [String]
}

extension EntityStore: DifferenceReporting {
    func differences(from older: Any) -> [String] {
        guard let older = older as? EntityStore else { return [": another type"] }
        let deltas = deltas(since: older.revision) ?? differences(from: older)
        let lines: [String] = deltas.compactMap { delta in
            switch (delta.before, delta.after) {
            case (nil, nil): nil
            case (nil, let entity?): "+ \(delta.id): \(StateDifference.cut("\(entity)"))"
            case (_?, nil): "- \(delta.id)"
            case (let before?, let after?):
                before == after
                    ? nil
                    : "~ \(delta.id): "
                        + StateDifference(ofUnequal: before, after).lines.joined(separator: ", ")
            }
        }
        return lines.isEmpty ? movements(from: older) : lines
    }

    /// Returns a line with the first rows in which the two stores have different entities. O(n).
    private func movements(from older: EntityStore) -> [String] {
        guard revision != older.revision else { return [] }
        let (oldIDs, newIDs) = (older.lazy.map(\.id), lazy.map(\.id))
        guard let row = zip(oldIDs, newIDs).enumerated().first(where: { $1.0 != $1.1 })?.offset
        else { return [] }
        let (oldRows, newRows) = (oldIDs.dropFirst(row).prefix(3), newIDs.dropFirst(row).prefix(3))
        return ["order from row \(row): \(Array(oldRows)) → \(Array(newRows))"]
    }
}

extension EntityView: DifferenceReporting {
    func differences(from older: Any) -> [String] { [] }
}

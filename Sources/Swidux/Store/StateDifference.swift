/// The differences between two values of a state, one line for each part, readable however large
/// the state is.
///
/// ```
/// items ~ 3F2A…: name: "Milk" → "Oat milk"
/// items + 9B1C…: Item(id: 9B1C…, name: "Bread")
/// ui.selection: nil → Optional(9B1C…)
/// ```
///
/// Of an ``EntityStore`` only the changed entities are listed, which costs O(changes) if one value
/// was made from the other; values derived from one (``EntityView``) are left out. Structures are
/// compared part by part, all else by its description.
public struct StateDifference: Sendable, Hashable, CustomStringConvertible {
    /// A line for each difference, in the order of the state's properties.
    public private(set) var lines: [String] = []

    /// The differences between `old` and `new`.
    public init<Value>(from old: Value, to new: Value) {
        compare(old, new, path: "")
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { lines.isEmpty }

    public var description: String { lines.joined(separator: "\n") }

    /// Longer descriptions are cut.
    private static let lengthLimit = 160

    private mutating func compare(_ old: Any, _ new: Any, path: String) {
        if let new = new as? any DifferenceReporting {
            lines += new.differences(from: old).map { "\(path) \($0)" }
            return
        }
        let (oldMirror, newMirror) = (Mirror(reflecting: old), Mirror(reflecting: new))
        switch newMirror.displayStyle {
        case .struct where !newMirror.children.isEmpty, .tuple:
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
            let (oldText, newText) = (String(reflecting: old), String(reflecting: new))
            guard oldText != newText else { return }
            lines.append("\(path): \(Self.cut(oldText)) → \(Self.cut(newText))")
        }
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
        return deltas.compactMap { delta in
            switch (delta.before, delta.after) {
            case (nil, nil): nil
            case (nil, let entity?): "+ \(delta.id): \(StateDifference.cut("\(entity)"))"
            case (_?, nil): "- \(delta.id)"
            case (let before?, let after?):
                before == after
                    ? nil
                    : "~ \(delta.id): "
                        + StateDifference(from: before, to: after).lines.joined(separator: ", ")
            }
        }
    }
}

extension EntityView: DifferenceReporting {
    func differences(from older: Any) -> [String] { [] }
}

extension EntityCounts: DifferenceReporting {
    func differences(from older: Any) -> [String] { [] }
}

extension SortedEntityView: DifferenceReporting {
    func differences(from older: Any) -> [String] { [] }
}

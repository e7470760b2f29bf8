extension Field {
    /// Merges the field of `entity`, which this process edited, with the same field of `theirs`. If
    /// only the value in `theirs` differs from `base`, takes that value; otherwise applies the
    /// rule. Without a base, both entities count as having changed every field.
    ///
    /// - Returns: The texts of the value that yields, which the note keeps. Empty if a value yields
    ///   that cannot be kept, nil if no value yields.
    func merge(_ entity: inout Entity, base: Entity?, theirs: Entity) -> [String]? {
        let isOverridden: Bool
        switch value {
        case .text(let accessor):
            isOverridden = threeWay(&entity, base, theirs, accessor.get, accessor.set)
        case .word(let spelling):
            isOverridden = threeWay(
                &entity, base, theirs, spelling.get, { _ = spelling.set(&$0, $1) })
        case .time(let accessor):
            let (mine, their) = (accessor.get(entity), accessor.get(theirs))
            switch rule {
            case .minimum:
                accessor.set(&entity, min(mine, their))
                isOverridden = false
            case .maximum:
                accessor.set(&entity, max(mine, their))
                isOverridden = false
            default:
                isOverridden = threeWay(&entity, base, theirs, accessor.get, accessor.set)
            }
        case .optionalTime(let accessor):
            isOverridden = threeWay(&entity, base, theirs, accessor.get, accessor.set)
        case .pairs(let accessor):
            isOverridden = threeWay(&entity, base, theirs, accessor.get, accessor.set)
        case .flag(let accessor):
            isOverridden = threeWay(&entity, base, theirs, accessor.get, accessor.set)
        case .tag(let accessor):
            isOverridden = threeWay(&entity, base, theirs, accessor.get, accessor.set)
        case .tags(let accessor):
            let mine = accessor.get(entity)
            let before = base.map(accessor.get) ?? []
            let kept = accessor.get(theirs).subtracting(before.subtracting(mine))
            accessor.set(&entity, kept.union(mine.subtracting(before)))
            isOverridden = false
        }
        guard isOverridden, rule != .minePosition || base != nil else { return nil }
        return texts(of: theirs, overriddenBy: entity)
    }

    /// Returns the texts to keep in the note if the field of `entity` yields to that of `other`:
    /// under the rule `keepingText`, the texts that `other` does not have.
    package func texts(of entity: Entity, overriddenBy other: Entity) -> [String] {
        guard rule == .keepingText else { return [] }
        switch value {
        case .text(let accessor):
            return accessor.get(entity) == accessor.get(other) ? [] : [accessor.get(entity)]
        case .word(let spelling):
            guard let text = spelling.get(entity), text != spelling.get(other) else { return [] }
            // The name is included, because several fields hold days.
            return ["\(name): \(text)"]
        case .pairs(let accessor):
            let kept = Set(accessor.get(other))
            return accessor.get(entity).filter { !kept.contains($0) }.map(\.words)
        case .time, .optionalTime, .flag, .tags, .tag: return []
        }
    }

    /// Takes the value of `theirs` if only that has changed. Returns true if both values have
    /// changed differently, so that one must yield.
    private func threeWay<Property: Equatable>(
        _ entity: inout Entity, _ base: Entity?, _ theirs: Entity,
        _ get: (Entity) -> Property, _ set: (inout Entity, Property) -> Void
    ) -> Bool {
        let (mine, their) = (get(entity), get(theirs))
        guard mine != their else { return false }
        guard let before = base.map(get) else { return true }
        if before == their { return false }
        guard before == mine else { return true }
        set(&entity, their)
        return false
    }
}

/// What had to yield when two edits of one field were merged.
enum Yielded {
    /// Something that cannot be kept beside what won.
    case value
    /// Texts to keep in the note.
    case texts([String])
}

extension Field {
    /// Brings `entity`, as it was edited here, together with `theirs`: takes their value if only
    /// they have changed it since `base`, and otherwise follows the rule. Without a base every
    /// field counts as changed by both.
    ///
    /// - Returns: what had to yield, or nil if nothing did.
    func merge(_ entity: inout Entity, base: Entity?, theirs: Entity) -> Yielded? {
        switch value {
        case .text(let accessor):
            return yielded(threeWay(&entity, base, theirs, accessor.get, accessor.set), base) {
                [$0]
            }
        case .word(let spelling):
            let text = threeWay(
                &entity, base, theirs, spelling.get, { _ = spelling.set(&$0, $1) })
            return yielded(text, base) { [$0] }
        case .time(let accessor):
            let (mine, their) = (accessor.get(entity), accessor.get(theirs))
            switch rule {
            case .least: accessor.set(&entity, min(mine, their))
            case .greatest: accessor.set(&entity, max(mine, their))
            default:
                return yielded(threeWay(&entity, base, theirs, accessor.get, accessor.set), base)
            }
        case .optionalTime(let accessor):
            return yielded(threeWay(&entity, base, theirs, accessor.get, accessor.set), base)
        case .pairs(let accessor):
            return yielded(threeWay(&entity, base, theirs, accessor.get, accessor.set), base) {
                $0.map(\.words)
            }
        case .tags(let accessor):
            let mine = accessor.get(entity)
            let before = base.map(accessor.get) ?? []
            let kept = accessor.get(theirs).subtracting(before.subtracting(mine))
            accessor.set(&entity, kept.union(mine.subtracting(before)))
        }
        return nil
    }

    /// Takes the other value of a field that was changed there alone. Returns the one that has to
    /// yield if both changed it differently.
    private func threeWay<Property: Equatable>(
        _ entity: inout Entity, _ base: Entity?, _ theirs: Entity,
        _ get: (Entity) -> Property, _ set: (inout Entity, Property) -> Void
    ) -> Property? {
        let (mine, their) = (get(entity), get(theirs))
        guard mine != their else { return nil }
        guard let before = base.map(get) else { return their }
        if before == their { return nil }
        guard before == mine else { return their }
        set(&entity, their)
        return nil
    }

    /// What the rule makes of a value that yields.
    private func yielded<Property>(
        _ property: Property?, _ base: Entity?, texts: (Property) -> [String] = { _ in [] }
    ) -> Yielded? {
        guard let property else { return nil }
        switch rule {
        case .keepingText: return .texts(texts(property))
        case .minePlace: return base == nil ? nil : .value
        default: return .value
        }
    }
}

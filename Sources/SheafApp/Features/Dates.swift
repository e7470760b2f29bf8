import SheafList

/// Days, recurrence and priorities of the marked items, or else of the current one.
package enum DateAction: Hashable, Sendable {
    /// `D`, `gD`, `gR`: opens the line for a date or a recurrence.
    case promptOpened(ItemSetting.Field)
    /// Moves the typed or current day by a number of days.
    case moved(days: Int)
    /// Moves the typed or current day by a number of months.
    case movedMonths(Int)
    /// Enter: sets the typed value.
    case accepted
    case closed
    /// `!` and a letter, or `!!`.
    case prioritized(Priority?)
    /// `gH`: shows or hides items that are scheduled for a later day.
    case scheduledToggled
}

extension DateAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .promptOpened: .request(under: .items, verb: "change")
        case .moved, .movedMonths, .closed: .user(under: .items)
        case .accepted: ActionTraits.user(under: .items).acceptingLine
        case .prioritized: .edit("priority", under: .items, verb: "change")
        case .scheduledToggled: .user(under: .finding)
        }
    }
}

/// The open line for typing a day or a recurrence.
package struct ItemPrompt: Hashable, Sendable {
    package let field: ItemSetting.Field
    package let items: Set<Item.ID>
    /// The number of the items that still exist.
    private(set) var itemCount: Int
    /// The revision of the items for which ``itemCount`` was computed.
    private var counted: Revision?
    /// Values from the time when the line was opened: the value of a single item, and those that
    /// another process has changed since.
    private(set) var originals: [Item.ID: ItemSetting] = [:]
    package var line = LineEditor()

    init(field: ItemSetting.Field, items: Set<Item.ID>, original: Item? = nil) {
        (self.field, self.items, itemCount) = (field, items, items.count)
        if let original { originals[original.id] = ItemSetting(field, of: original) }
    }

    /// Records the values that another process has replaced. `former` are the items before the
    /// change. O(changes).
    mutating func noteChanges(of former: [Item], in items: EntityStore<Item>) {
        for item in former where self.items.contains(item.id) && originals[item.id] == nil {
            let value = ItemSetting(field, of: item)
            if let now = items[item.id], ItemSetting(field, of: now) != value {
                originals[item.id] = value
            }
        }
    }

    /// Counts the items again if they have changed. O(items).
    mutating func settle(in items: EntityStore<Item>) {
        guard counted != items.revision else { return }
        counted = items.revision
        itemCount = items.count(of: self.items)
    }

    /// Returns the value that the user has typed, or nil if the line is blank.
    ///
    /// - Throws: ``TypedError`` if the text cannot be parsed.
    package func setting(today: CalendarDay) throws(TypedError) -> ItemSetting? {
        guard !line.text.isBlank else { return nil }
        return try ItemSetting(field, typed: line.text, today: today)
    }
}

extension AppState {
    /// Returns the day that `prompt` shows: the typed day, else the day of its only item. `nil` if
    /// there is neither. Text that cannot be parsed counts as no day.
    package func day(in prompt: ItemPrompt) -> CalendarDay? {
        do throws(TypedError) {
            if let setting = try prompt.setting(today: today) { return setting.day }
        } catch {}
        return item(of: prompt).flatMap { ItemSetting(prompt.field, of: $0).day }
    }

    /// Returns the title above the line of `prompt`: the field and the item, or the number of
    /// items.
    package func title(of prompt: ItemPrompt) -> String {
        let name = item(of: prompt).map { Confirmation.shown($0.name) }
        let what = prompt.itemCount == 0 ? prompt.items.deletion : prompt.itemCount.items
        return "\(prompt.field.title): \(name ?? what)"
    }

    /// Returns the only item of `prompt`, or `nil` if it has several.
    private func item(of prompt: ItemPrompt) -> Item? {
        prompt.items.count == 1 ? prompt.items.first.flatMap { items[$0] } : nil
    }

    /// Returns a description of the typed value of `prompt`, or of the current value if the line is
    /// blank.
    package func description(of prompt: ItemPrompt) throws(TypedError) -> String {
        if let setting = try prompt.setting(today: today) {
            return setting.understood(today: today)
        }
        guard prompt.itemCount > 0 else { return prompt.items.deletion }
        guard let item = item(of: prompt) else { return "for \(prompt.itemCount.items)" }
        return "now \(ItemSetting(prompt.field, of: item).understood(today: today))"
    }
}

extension DateAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .promptOpened(let field):
            let ids = state.subjects()
            guard !ids.isEmpty else { return nil }
            let item = ids.count == 1 ? ids.first.flatMap { state.items[$0] } : nil
            state.ui.mode = .prompt(ItemPrompt(field: field, items: ids, original: item))
        case .moved(let days):
            step(&state) { $0.advanced(days: days) }
        case .movedMonths(let months):
            step(&state) { $0.advanced(months: months) }
        case .accepted:
            return state.keepPrompted(environment)
        case .closed:
            guard case .prompt(let prompt) = state.ui.mode else { return nil }
            state.ui.mode = .normal
            state.ui.discard(prompt.line)
        case .prioritized(let priority):
            let ids = state.subjects()
            return state.set(.priority(priority), of: ids, environment)
        case .scheduledToggled:
            state.ui.showsScheduled.toggle()
            state.ui.show(
                state.ui.showsScheduled
                    ? "Scheduled items shown"
                    : "Scheduled items hidden until their date")
        }
        return nil
    }

    private func step(_ state: inout AppState, _ step: (CalendarDay) -> CalendarDay) {
        guard case .prompt(var prompt) = state.ui.mode else { return }
        let day = step(state.day(in: prompt) ?? state.today)
        prompt.line = LineEditor(day.description)
        state.ui.mode = .prompt(prompt)
    }
}

extension AppState {
    /// Sets the typed value, and closes the prompt. Leaves it open if the value is not valid.
    mutating func keepPrompted(_ environment: AppEnvironment) -> Effect? {
        guard case .prompt(let prompt) = ui.mode else { return nil }
        do throws(TypedError) {
            let setting = try prompt.setting(today: today)
            ui.mode = .normal
            guard let setting else { return nil }
            let changed = prompt.originals.filter { id, original in
                isChanged(id, from: original, to: setting)
            }
            let others = changed.isEmpty ? prompt.items : prompt.items.subtracting(changed.keys)
            let effect =
                others.isEmpty ? nil : set(setting, of: others, environment)
            for item in items.inOrder(Set(changed.keys)) {
                guard let original = changed[item.id] else { continue }
                merge(
                    .set(setting), from: .set(original), into: item.id, at: environment.now())
            }
            return effect
        } catch {
            // The typed text stays, so that the user can correct it.
            ui.refuse(error.reason.sentenceCased, isAlert: true)
            return nil
        }
    }

    /// Returns true if another process has changed the value since the line was opened, other than
    /// to `setting`.
    private func isChanged(
        _ id: Item.ID, from original: ItemSetting, to setting: ItemSetting
    ) -> Bool {
        guard original != setting, let theirs = items[id] else { return false }
        return ![original, setting].contains(ItemSetting(original.field, of: theirs))
    }

    fileprivate mutating func set(
        _ setting: ItemSetting, of ids: Set<Item.ID>, _ environment: AppEnvironment
    ) -> Effect? {
        guard ids.contains(where: items.contains) else {
            guard !ids.isEmpty else { return nil }
            ui.show(
                "Cannot set the \(setting.field.name): \(ids.deletion)", isAlert: true)
            return nil
        }
        let effect = change(.set(setting), count: ids.count, environment) {
            .edited($0.inOrder(ids).map(\.id), .set(setting))
        }
        if ids.count == 1, case .scheduled(let day?) = setting, day > today,
            !ui.showsScheduled, let item = ids.first.flatMap({ items[$0] })
        {
            let date = day.shortName(today: today)
            let name = Confirmation.shown(item.name)
            ui.show("Hidden until \(date): “\(name)”", hint: "gH show   u undo")
        }
        return effect
    }
}

import SheafApp

extension Keymap {
    /// The bindings for the areas above and beside the panes.
    static let inspector: [Binding] = [
        Binding(panes, "o", "show or hide the inspector", .inspector(.toggled)),
        Binding(
            panes, "^E", "scroll the inspector down", .inspector(.scrolled(rows: 1, last: 0))),
        Binding(panes, "^Y", "scroll the inspector up", .inspector(.scrolled(rows: -1, last: 0))),
        Binding(panes, ": ^P", "choose any command by name", .palette(.opened([]))),
    ]

    /// Commands without a key. They are only in the palette, except the sort orders, which are in a
    /// menu too.
    static let unkeyed: [Binding] =
        [
            Binding(
                panes, "", "go to a row by number", requires: .rows(),
                .palette(.argumentRequested(.rowNumber)))
        ]
        + ItemSort.allCases.map { sort in
            Binding(
                panes, "", sort.actionName, requires: .list, .sort(.chosen(sort)))
        }
        + [Binding(panes, "", "turn the mouse on or off", .mouse(.toggled))]

    static let palette: [Binding] = [
        Binding([.palette], "Enter", "run it", hint: "run", .palette(.chosen)),
        Binding([.palette], "↓ ^N", "next row", .palette(.moved(rows: 1))),
        Binding([.palette], "↑ ^P", "previous row", .palette(.moved(rows: -1))),
        Binding([.palette], "Esc ^C", "close", hint: "close", .palette(.closed)),
    ]

    /// Returns the entries of the palette while `pane` has the focus: the actions of keys in the
    /// panes, and the actions without keys. Movements come last, since users rarely search for them
    /// by name. Keys that differ only in a number or a letter share one entry, which asks for it.
    func paletteEntries(in pane: Pane) -> [Palette.Entry] {
        let groups = HelpHeading.allCases.filter { $0 != .moving } + [.moving]
        let grouped = groups.flatMap { group in
            bindings.filter { $0.action.traits.heading == group }
        }
        return grouped.compactMap { binding in
            let panes = binding.contexts.compactMap { context in
                if case .pane(let pane) = context { pane } else { nil }
            }
            guard let first = panes.first, let action = binding.paletteAction else { return nil }
            let menuKeys = menuKeys(for: binding)
            return Palette.Entry(
                name: binding.name, keys: menuKeys ?? binding.label,
                commands: binding.keys.map { $0.joined() } + [menuKeys].compactMap(\.self)
                    + binding.commands, action: action,
                requirement: binding.requirement,
                pane: panes.contains(pane) ? nil : first)
        }
    }

    /// Returns the keys that open the menu and choose the sort order of `binding`, as the user
    /// types them: `sd`. Returns `nil` if `binding` does not sort.
    func menuKeys(for binding: Binding) -> String? {
        guard case .sort(.chosen(let sort)) = binding.action,
            let menu = bindings.first(where: {
                if case .sort(.menuOpened) = $0.action { true } else { false }
            })
        else { return nil }
        return menu.shortLabel + key(for: sort)
    }

    /// Returns the key that chooses `sort` in the sort menu.
    func key(for sort: ItemSort) -> String {
        bindings(in: .sortMenu).first { binding in
            if case .sort(.chosen(sort)) = binding.action { true } else { false }
        }?.shortLabel ?? ""
    }
}

extension ItemSort {
    /// The name of the sort order in the palette.
    var actionName: String {
        switch self {
        case .manual: "sort in manual order"
        case .match: "sort by best match"
        case .name: "sort by name"
        case .created: "sort by date created, newest first"
        case .changed: "sort by date changed, latest first"
        case .done: "sort by date done, latest first"
        case .tag: "sort by tag"
        case .due: "sort by due date, earliest first"
        case .priority: "sort by priority"
        }
    }
}

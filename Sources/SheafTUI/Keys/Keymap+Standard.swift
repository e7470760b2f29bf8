import SheafApp

extension Keymap {
    /// The table of all keys.
    package static let standard = Keymap(
        bindings: movement + counts + views + items + dates + marks + clip + tags + both + inspector
            + history + unkeyed + draft + filter + sortMenu + tagPicker + palette
            + prompts + confirmation
            + leaving + help + waiting + readline)

    static let panes = Pane.allCases.map(KeyContext.pane)

    private static let movement: [Binding] = [
        move("j ↓", "next row", .rows(1)),
        move("k ↑", "previous row", .rows(-1)),
        move("g+g Home", "first row", brief: "first", .toFirst),
        move("G End", "last row", requires: .lastRow, .toLast),
        move("^D", "half a page down", .halfPages(1)),
        move("^U", "half a page up", .halfPages(-1)),
        move("^F PgDn", "a page down", .pages(1)),
        move("^B PgUp", "a page up", .pages(-1)),
    ]

    private static let counts: [Binding] = (0...9).map { digit in
        Binding(
            panes, "\(digit)", "repeat the next command: 12j, 5x, 7G",
            listing: digit == 0 ? .through("9") : .none, .keys(.counted(digit)))
    }

    private static func move(
        _ keys: String, _ title: String, brief: String? = nil,
        requires requirement: Requirement = .rows(),
        _ move: BrowseAction.Move
    ) -> Binding {
        Binding(panes, keys, title, brief: brief, requires: requirement, .browse(.moved(move)))
    }

    private static let items: [Binding] = [
        Binding(
            [.items], "a", "add an item below", hint: "add", requires: .below(.nothing),
            .items(.addRequested)),
        Binding([.items], "A", "add an item at the end", .items(.addAtEndRequested)),
        Binding(
            [.items], "r i Enter", "rename", name: "rename the item", hint: "rename",
            requires: .selection(to: "rename"), .items(.renameRequested)),
        Binding(
            [.items], "x", "mark done or not done", name: "mark the item done or not done",
            commands: ["done"], hint: "done", requires: .marked(to: "mark as done"),
            .items(.doneToggled)),
        Binding(
            [.items], "d+d Del", "delete", name: "delete the item", commands: ["d"], hint: "delete",
            requires: .marked(to: "delete"), .items(.delete)),
        Binding(
            [.items], "t", "add or remove tags", name: "add or remove tags of the item",
            commands: ["tag"], hint: "tag", requires: .marked(to: "tag"), .tagPicker(.opened)),
        Binding(
            [.items], "J Alt-↓", "move down one visible row",
            name: "move the item down", requires: .rows(to: "move"), .items(.moveRequested(.down))),
        Binding(
            [.items], "K Alt-↑", "move up one visible row",
            name: "move the item up", requires: .rows(to: "move"), .items(.moveRequested(.up))),
        Binding(
            [.items], "g+J", "move to the last visible row",
            name: "move the item to the end", brief: "item to end",
            requires: .allItems(to: "move"),
            .items(.moveToEndRequested(.down))),
        Binding(
            [.items], "g+K", "move to the first visible row",
            name: "move the item to the top", brief: "item to top", requires: .rows(to: "move"),
            .items(.moveToEndRequested(.up))),
        Binding(
            [.items], "e", "edit the note in $VISUAL or $EDITOR", requires: .selection(to: "edit"),
            .items(.noteRequested)),
    ]

    private static let dates: [Binding] =
        [
            Binding(
                [.items], "D", "set the due date", name: "set the item’s due date",
                requires: .marked(to: "set a due date on"), .dates(.promptOpened(.due))),
            Binding(
                [.items], "g+D", "schedule: hide until a date",
                name: "schedule the item: hide it until a date", brief: "schedule",
                requires: .marked(to: "schedule"),
                .dates(.promptOpened(.scheduled))),
            Binding(
                [.items], "g+R", "set how it repeats", name: "set how the item repeats",
                brief: "repeat",
                requires: .marked(to: "repeat"), .dates(.promptOpened(.repeat))),
        ]
        + Priority.allCases.map { letter in
            let label = letter.description.lowercased()
            return Binding(
                [.items], "!+\(label) !+\(letter)", "set the priority",
                name: "set the item’s priority",
                brief: "priority",
                listing: letter == .a ? .through("!z", asking: .priority) : .none,
                requires: .marked(to: "prioritize"), .dates(.prioritized(letter)))
        }
        + [
            Binding(
                [.items], "!+!", "clear the priority", name: "clear the item’s priority",
                brief: "clear",
                requires: .marked(to: "prioritize"), .dates(.prioritized(nil)))
        ]

    private static let prompts: [Binding] = [
        Binding([.dayPrompt, .repeatPrompt], "Enter", "set", hint: "set", .dates(.accepted)),
        Binding([.dayPrompt], "→ ^N", "a day later", hint: "later", .dates(.moved(days: 1))),
        Binding([.dayPrompt], "← ^P", "a day earlier", hint: "earlier", .dates(.moved(days: -1))),
        Binding([.dayPrompt], "↓", "a week later", .dates(.moved(days: 7))),
        Binding([.dayPrompt], "↑", "a week earlier", .dates(.moved(days: -7))),
        Binding([.dayPrompt], "PgDn", "a month later", .dates(.movedMonths(1))),
        Binding([.dayPrompt], "PgUp", "a month earlier", .dates(.movedMonths(-1))),
        Binding(
            [.dayPrompt, .repeatPrompt], "Esc ^C", "cancel", hint: "cancel", .dates(.closed)),
    ]

    private static let marks: [Binding] = [
        Binding(
            [.items], "Space", "mark or unmark, and move down", name: "mark or unmark the item",
            requires: .selection(to: "mark"), .marks(.toggled)),
        Binding(
            [.items], "V", "mark a range, to the next V or Space", name: "mark a range",
            requires: .selection(to: "mark"),
            .marks(.rangeToggled)),
        Binding(
            [.items], "v", "invert the marks of all rows shown",
            requires: .allItems(to: "mark"), .marks(.inverted)),
        Binding(
            [.items], "^A", "mark all rows shown", requires: .allItems(to: "mark"),
            .marks(.allMarked)),
    ]

    private static let clip: [Binding] = [
        Binding(
            [.items], "m", "cut: p pastes it elsewhere",
            name: "cut the items", requires: .marked(to: "cut"),
            .clip(.moveRequested)),
        Binding(
            [.items], "y", "copy, to the clipboard and for p", name: "copy the items",
            requires: .marked(to: "copy"),
            .clip(.copyRequested)),
        Binding(
            [.items], "p", "paste below", name: "paste below the item", requires: .below(.list),
            .clip(.putRequested)),
    ]

    private static let tags: [Binding] = [
        Binding(
            [.tags], "Enter", "go to the items", name: "go to the items of the row", hint: "items",
            .browse(.rowEntered)),
        Binding(
            [.tags], "a", "add a tag, or a view on a view’s row", hint: "add",
            requires: .below(.nothing), .tags(.addRequested)),
        Binding(
            [.tags], "r i", "rename the tag or view", hint: "rename",
            requires: .selection(to: "rename"), .tags(.renameRequested)),
        Binding(
            [.tags], "e", "edit the query of the view", requires: .selection(to: "edit"),
            .views(.queryRequested)),
        Binding(
            [.tags], "c", "next color", name: "next color of the tag", hint: "color",
            requires: .selection(to: "color"), .tags(.recolored(by: 1))),
        Binding(
            [.tags], "C", "previous color", name: "previous color of the tag",
            requires: .selection(to: "color"), .tags(.recolored(by: -1))),
        Binding(
            [.tags], "d+d Del", "delete the tag or view", hint: "delete",
            requires: .allItems(to: "delete"), .tags(.deleteRequested)),
        Binding(
            [.tags], "J Alt-↓", "move the tag or view down", requires: .selection(to: "move"),
            .tags(.moveRequested(.down))),
        Binding(
            [.tags], "K Alt-↑", "move the tag or view up", requires: .selection(to: "move"),
            .tags(.moveRequested(.up))),
    ]

    private static let both: [Binding] = [
        Binding(panes, "h ←", "go to the tags", .browse(.paneMoved(by: -1))),
        Binding(panes, "l →", "go to the items", .browse(.paneMoved(by: 1))),
        Binding(panes, "Tab", "the other pane", .browse(.nextPaneChosen)),
        Binding(panes, "\\", "show or hide the tags pane", .browse(.tagsToggled)),
        Binding(panes, "/", "find by a query", hint: "find", requires: .list, .filter(.opened)),
        Binding(panes, "s", "choose the sort order", requires: .list, .sort(.menuOpened)),
        Binding(panes, "S", "reverse the sort order", requires: .list, .sort(.reversed)),
    ]

    private static let views: [Binding] =
        [
            Binding(
                panes, "g+v", "save what is shown as a view", brief: "save view", requires: .list,
                .views(.addRequested))
        ]
        + (1...9).map { number in
            Binding(
                panes, "g+\(number)", "show the saved view of that number",
                name: "show a saved view by name",
                brief: "view",
                listing: number == 1 ? .through("g9", asking: .savedView) : .none, requires: .list,
                .views(.chooseNumber(number)))
        }

    private static let history: [Binding] = [
        Binding(
            panes, "u", "undo", name: "undo the last change", hint: "undo",
            .history(.undoRequested)),
        Binding(panes, "U ^R", "redo", name: "redo what was undone", .history(.redoRequested)),
        Binding(panes, "H", "show or hide done items", requires: .list, .browse(.hideDoneToggled)),
        Binding(
            panes, "g+H", "show or hide scheduled items", brief: "show/hide scheduled",
            requires: .list,
            .dates(.scheduledToggled)),
        Binding(panes, "W", "show or hide write statistics", .browse(.writesToggled)),
        Binding(panes, "^S", "save now", commands: ["w", "write"], .saving(.saveRequested)),
        Binding(panes, "^L", "redraw", name: "redraw the screen", .session(.redrawRequested)),
        Binding(panes, "^Z", "suspend", name: "suspend the program", .session(.suspendRequested)),
        Binding(
            panes, "Esc", "clear marks, query, view, then tag", .browse(.escaped)),
        Binding(panes, "q", "close what is open, or quit", hint: "quit", .browse(.closed)),
        Binding(panes, "^C", "quit", commands: ["wq", "qa", "exit"], .leaving(.quitRequested)),
        Binding(
            panes, "?", "show the keys that work here", commands: ["help"], hint: "help",
            .help(.opened([]))),
    ]

    private static let drafts: [KeyContext] = [.newItem, .itemName, .draft]

    private static let draft: [Binding] = [
        Binding(drafts, "Enter", "keep", hint: "keep", .line(.accepted)),
        Binding(
            [.newItem], "^N", "keep, and add another below", hint: "next", .line(.acceptedForNext)),
        Binding(
            [.newItem, .itemName], "Tab", "complete a tag: #tag +tag @tag", .line(.completed)),
        Binding(drafts, "Esc ^C", "cancel", hint: "cancel", .line(.cancelled)),
        Binding(drafts, "^Z", "keep and suspend", .session(.suspendRequested)),
    ]

    private static let filter: [Binding] = [
        Binding([.filter], "Enter", "keep the query", hint: "keep", .filter(.accepted)),
        Binding(
            [.filter], "Tab", "complete a tag or a keyword", hint: "complete", .filter(.completed)),
        Binding(
            [.filter], "Esc ^C", "restore the previous query", hint: "cancel", .filter(.cancelled)),
        Binding(
            [.filter], "Alt-s", "best matches first, or the sort order", .sort(.bestToggled)),
        Binding([.filter], "Alt-↑", "previous query", .filter(.recalled(earlier: true))),
        Binding([.filter], "Alt-↓", "next query", .filter(.recalled(earlier: false))),
        Binding([.filter], "↓ ^N", "next row", requires: .rows(), .filter(.moved(rows: 1))),
        Binding([.filter], "↑ ^P", "previous row", requires: .rows(), .filter(.moved(rows: -1))),
    ]

    private static let sortMenu: [Binding] = [
        Binding([.sortMenu], "j ↓ ^N", "next row", .sort(.menuMoved(rows: 1))),
        Binding([.sortMenu], "k ↑ ^P", "previous row", .sort(.menuMoved(rows: -1))),
        Binding([.sortMenu], "Enter", "sort by this", hint: "sort", .sort(.menuChosen)),
        Binding([.sortMenu], "m", "manual order", .sort(.chosen(.manual))),
        Binding([.sortMenu], "b", "best matches first", .sort(.chosen(.match))),
        Binding([.sortMenu], "n", "by name", .sort(.chosen(.name))),
        Binding([.sortMenu], "c", "newest first", .sort(.chosen(.created))),
        Binding([.sortMenu], "h", "last changed first", .sort(.chosen(.changed))),
        Binding([.sortMenu], "x", "last done first", .sort(.chosen(.done))),
        Binding([.sortMenu], "t", "by tag", .sort(.chosen(.tag))),
        Binding([.sortMenu], "d", "earliest due first", .sort(.chosen(.due))),
        Binding([.sortMenu], "p", "by priority", .sort(.chosen(.priority))),
        Binding([.sortMenu], "S", "reverse", hint: "reverse", .sort(.reversed)),
        Binding([.sortMenu], "/", "close, and type a query", .filter(.opened)),
        Binding([.sortMenu], "Esc q s ^C", "close", hint: "close", .sort(.menuClosed)),
    ]

    private static let tagPicker: [Binding] = [
        Binding(
            [.tagPicker], "Enter", "add or remove the tag, and close", hint: "toggle",
            .tagPicker(.chosen)),
        Binding(
            [.tagPicker], "Tab", "add or remove the tag, and stay", hint: "toggle, stay",
            .tagPicker(.toggled)),
        Binding([.tagPicker], "↓ ^N", "next row", .tagPicker(.moved(rows: 1))),
        Binding([.tagPicker], "↑ ^P", "previous row", .tagPicker(.moved(rows: -1))),
        Binding([.tagPicker], "Esc ^C", "close", hint: "close", .tagPicker(.closed)),
    ]

    private static let confirmation: [Binding] = [
        Binding([.confirmation], "y", "yes", .confirmation(.accepted)),
        Binding(
            [.confirmation], "l", "yes, with pasted lines as they stand",
            .confirmation(.acceptedLiterally)),
        Binding([.confirmation], "n Esc q ^C", "no", .confirmation(.declined)),
    ]

    private static let leaving: [Binding] = [
        Binding([.leaving], "r Enter", "retry saving", .leaving(.answered(.retry))),
        // Answering yes loses no changes.
        Binding(
            [.leaving], "y", "keep the changes for the next start, and quit",
            .leaving(.answered(.keep))),
        Binding([.leaving], "d", "discard the changes, and quit", .leaving(.answered(.discard))),
        Binding([.leaving], "n Esc q ^C", "stay", .leaving(.answered(.stay))),
    ]

    private static let help: [Binding] = [
        Binding([.help], "/", "search", hint: "search", .help(.searchOpened)),
        Binding([.help], "j ↓ ^N", "down", .help(.scrolled(rows: 1))),
        Binding([.help], "k ↑ ^P", "up", .help(.scrolled(rows: -1))),
        Binding([.help], "^F ^D PgDn Space", "a page down", .help(.scrolledPages(1))),
        Binding([.help], "^B ^U PgUp", "a page up", .help(.scrolledPages(-1))),
        Binding([.help], "g Home", "first row", .help(.scrolledToFirst)),
        Binding([.help], "G End", "last row", .help(.scrolledToLast)),
        Binding([.help], "Esc", "end the search, or close", hint: "close", .help(.escaped)),
        Binding([.help], "q ? Enter ^C", "close", .help(.closed)),
        Binding([.helpSearch], "Enter", "keep the matches", hint: "keep", .help(.searchAccepted)),
        Binding([.helpSearch], "↓ ^N", "down", .help(.scrolled(rows: 1))),
        Binding([.helpSearch], "↑ ^P", "up", .help(.scrolled(rows: -1))),
        Binding([.helpSearch], "PgDn", "a page down", .help(.scrolledPages(1))),
        Binding([.helpSearch], "PgUp", "a page up", .help(.scrolledPages(-1))),
        Binding([.helpSearch], "Esc ^C", "end the search", hint: "cancel", .help(.escaped)),
    ]

    private static let waiting: [Binding] = [
        Binding(
            [.waiting], "^C", "drop the waiting keys", hint: "drop", .keys(.dropped(0, .cancelled)))
    ]

    private static let readline: [Binding] = [
        line("^A Home", "go to the beginning of the line", .beginningOfLine),
        line("^E End", "go to the end of the line", .endOfLine),
        line("^B ←", "back one character", in: undatedLines, .backwardChar),
        line("^F →", "forward one character", in: undatedLines, .forwardChar),
        // In the day prompt, the arrow keys move through the calendar.
        line("^B", "back one character", in: [.dayPrompt], listing: .none, .backwardChar),
        line("^F", "forward one character", in: [.dayPrompt], listing: .none, .forwardChar),
        line("Alt-b Alt-← Ctrl-←", "back one word", .backwardWord),
        line("Alt-f Alt-→ Ctrl-→", "forward one word", .forwardWord),
        line("Backspace", "delete the character before", .backwardDeleteChar),
        line("Del ^D", "delete the character under the cursor", .deleteChar),
        line("^W", "delete back to a space", .unixWordRubout),
        line("Alt-Backspace", "delete the word before", .backwardKillWord),
        line("Alt-d", "delete the word after", .killWord),
        line("^U", "delete to the beginning of the line", .unixLineDiscard),
        line("^K", "delete to the end of the line", .killLine),
        line("^Y", "insert the last deleted text", .yank),
    ]

    private static let undatedLines: [KeyContext] =
        drafts + [.filter, .tagPicker, .repeatPrompt, .palette, .helpSearch]

    private static func line(
        _ keys: String, _ title: String, in contexts: [KeyContext] = undatedLines + [.dayPrompt],
        listing: Binding.Listing = .own, _ edit: LineEditor.Edit
    ) -> Binding {
        Binding(contexts, keys, title, listing: listing, .line(.edited(edit)))
    }
}

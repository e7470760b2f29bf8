import ArgumentParser
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SheafStorage
import Swidux
import Terminal

/// `sheaf add`: adds one item for each text.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add items at the end of the list, and print their ids.",
        discussion: """
            Each text is one item; quote texts with spaces. With - each line of standard input is one.

            These words of a text are read as in a new row of the screen: #tag, +tag and @tag; (A) at the beginning, a \
            priority; due:fri, t:3d and rec:+1w, a due date, a scheduled date and a repeat. A tag inside a sentence \
            stays in the name. Missing tags are created. The command reports on standard error what it read. A \
            backslash before a word keeps it as text; --literal keeps all of the text, for scripts. Options win over \
            words. Days and repeats are typed as 'sheaf help set' explains.

            For example:
              sheaf add "Ring vet +Pets @phone due:fri rec:1y"
              sheaf add "Thinking in Systems" --tag book --tag systems
              sheaf add --literal "$title"
            """)

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "A tag for the new items; may be repeated.")
    var tag: [String] = []

    @Option(help: "A note for the new items.")
    var note: String?

    @OptionGroup var fields: FieldOptions

    @OptionGroup var literally: LiteralOption

    @Argument(
        help: ArgumentHelp(
            "The text of an item; - reads texts from standard input, one per line.",
            valueName: "text"))
    var text: [Words]

    func validate() throws {
        guard text.texts.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("The name of an item cannot be blank.")
        }
        // Each word of a text that is not quoted would become an item.
        if text.texts.count > 1, !literally.literal,
            text.texts.allSatisfy({ !$0.contains(where: \.isWhitespace) }),
            let word = text.texts.first(where: { TypedItem.isOnlySettings($0, today: .today) })
        {
            throw ValidationError(
                "“\(word)” is no name. To add one item, quote its whole text: sheaf add"
                    + " \(ShellText.quoted(text.texts.joined(separator: " "))).")
        }
        guard tag.allSatisfy({ Tag.name(from: $0) != nil }) else {
            throw ValidationError(TagLookup.nameless)
        }
    }

    func run() throws {
        let options = try fields.settings()
        let texts = try text.texts.flatMap { $0 == "-" ? try Self.standardInput() : [$0] }
        let ids = texts.map { _ in UUID.random() }
        let list = try store.open(.readWriteBegin)
        let readings = try runBlocking { [note, tag, literal = literally.literal] in
            let mayHaveTags = !literal && texts.contains(where: TypedItem.mayHaveTag)
            let stored = tag.isEmpty && !mayHaveTags ? [] : try await list.storage.loadTags()
            let given = try tag.map(TagLookup(tags: stored).nameOrNew)
            var known = KnownTags(stored)
            var readings: [String] = []
            let items = zip(ids, texts).map { id, text in
                let named = given.map { known.tag(named: $0) ?? .new($0) }
                let typed =
                    literal
                    ? nil : TypedItem(text, given: named, tags: known, today: .today)
                var blank = Item(id: id)
                for setting in (typed?.settings ?? []) + options { setting.apply(to: &blank) }
                var names = given
                if let typed {
                    names += typed.tagNames
                    for name in typed.newTagNames { known.insert(.new(name)) }
                    let fields = Set(options.map(\.field))
                    readings += typed.reading(leavingOut: fields).map { [$0] } ?? []
                }
                var item = ImportedItem(
                    id: id, name: typed?.name ?? text, note: note, tags: names)
                item.copy(["due", "scheduled", "repeat", "priority"], from: blank)
                return item
            }
            try await list.backingUpDaily {
                _ = try await ListAddition.add(ImportedList(items: items), to: list.storage)
            }
            return readings
        }
        FileOutput.report(ids.map { "\($0.uuidString.lowercased())\n" }.joined())
        for reading in readings { Diagnostics.note(reading) }
    }

    /// Returns the lines of standard input that are not blank.
    ///
    /// - Throws: ``CommandFailure``, `.badInput`, if there are none, or if the input is not valid
    ///   UTF-8.
    private static func standardInput() throws -> [String] {
        let input = FileInput("-")
        guard let text = String(validating: try input.read(), as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(input.name): not valid UTF-8")
        }
        let lines = text.lines.map { line in
            String(line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line)
        }.filter { !$0.isBlank }
        guard !lines.isEmpty else {
            throw CommandFailure(.badInput, "\(input.name): no text to add")
        }
        return lines
    }
}

/// The option that takes a text literally, without tags and fields.
struct LiteralOption: ParsableArguments {
    @Flag(help: "Take the text as the name, without reading tags and dates in it.")
    var literal = false
}

extension TypedItem {
    /// The names of the tags, both existing and new ones.
    fileprivate var tagNames: [String] { knownTags.map(\.name) + newTagNames }

    /// Returns a line that describes the interpretation of the text, or `nil` if the text is only a
    /// name without a value that cannot be read.
    ///
    /// - Parameter fields: the fields that a command sets to other values.
    fileprivate func reading(leavingOut fields: Set<ItemSetting.Field> = []) -> String? {
        guard hasMoreThanName || !lostTags.isEmpty || !unread.isEmpty else { return nil }
        let parts = [DisplayText.truncated(name, to: 60)] + meanings(today: .today, except: fields)
        return "Read as: \(parts.joined(separator: " · "))"
    }
}

/// `sheaf rename`: renames an item.
struct RenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename an item.",
        discussion: """
            The first column of 'sheaf list --format table' shows the ids.

            Words that the old name did not have are read as 'sheaf help add' explains. If the new name lacks a tag \
            that the old one had as a word, the item loses the tag. --literal changes the name alone.

            For example:
              sheaf rename 9b2f "Thinking in Systems, 2nd edition"
              sheaf rename 9b2f "Thinking in Systems due:fri #book"
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var literally: LiteralOption

    @Argument(help: "The id of the item, or at least its first 4 digits.")
    var id: String

    @Argument(help: "The new name; quote a name with spaces.")
    var name: String

    func validate() throws {
        guard !name.allSatisfy(\.isWhitespace) else {
            throw ValidationError("The name of an item cannot be blank.")
        }
    }

    func run() throws {
        let reference = try ItemReference(id)
        try ListEdit.perform(on: store) { [name, literal = literally.literal] edit in
            let item = try await edit.items.item(reference)
            guard !literal else {
                var plan = ListEdit.Plan(report: Self.report(item, name))
                plan.changes.items = edit.changed([item], by: [.name(name)])
                return plan
            }
            let stored = try await edit.tags().tags
            let former = stored.filter { item.tags.contains($0.id) }
            let typed = TypedItem(
                name, renaming: (item.name, former), tags: KnownTags(stored), today: .today)
            var known = KnownTags(stored)
            var new: [Tag] = []
            for name in typed.newTagNames where known.tag(named: name) == nil {
                new.append(.new(name, among: stored + new))
                known.insert(new[new.count - 1])
            }
            let tags = typed.tagNames.compactMap { known.tag(named: $0)?.id }
            var plan = ListEdit.Plan(report: Self.report(item, typed.name))
            plan.changes.items = EntityChanges(editing: [item], at: edit.now) {
                $0.apply(typed, tags: tags)
            }
            plan.changes.tags.append(new, after: stored)
            plan.note = typed.reading()
            return plan
        }
    }

    private static func report(_ item: Item, _ name: String) -> String {
        "Renamed \(quoted(item.name)) to \(quoted(name))."
    }
}

/// `sheaf done`: marks items done, or not done.
struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Mark items as done, or with --undo as not done.",
        usage: "sheaf done [--store <url>] [--undo] \(ItemArguments.usage)",
        discussion: """
            An item that is already done keeps its time. The next occurrence of a repeating item is added below it; \
            --undo removes that again unless it was edited. If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf done 9b2f 03ac
              sheaf list --ids milk | sheaf done -
              sheaf done --where "@phone created:<2026-06"
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Mark the items as not done.")
    var undo = false

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [undo] edit, items in
            let changed = edit.changed(items, by: [.done(since: undo ? nil : edit.now)])
            let words = "\(described(changed.upserts)) \(undo ? "not done" : "done")"
            var plan = ListEdit.Plan(
                report: "Marked \(words).",
                purpose: ListEdit.Purpose(words: "mark \(words)", items: changed.upserts))
            plan.changes.items = changed
            let recurrences = try await edit.followRepeats(of: &plan.changes.items)
            plan.report += recurrences.sentences(quoted: quoted)
            if undo {
                plan.reportOfResult = { result in
                    let kept = result.keptIDs
                    let reopened = changed.upserts.filter { !kept.contains($0.nextID) }
                    return reopened.isEmpty
                        ? "Nothing was changed." : "Marked \(described(reopened)) not done."
                }
            }
            if recurrences.added > 0 {
                let verb = recurrences.added == 1 ? "repeats" : "repeat"
                plan.purpose?.words += " (\(recurrences.added) \(verb))"
            }
            return plan
        }
    }
}

/// `sheaf delete`: deletes items from the list.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete items.",
        usage: "sheaf delete [--store <url>] \(ItemArguments.usage)",
        discussion: """
            Items named by id are deleted without asking, and this cannot be undone. If one id is \
            wrong, nothing is deleted. An item that another process edits at the same time is kept, and the exit status is 1.

            \(ItemArguments.help)

            For example:
              sheaf delete 9b2f
              sheaf list --ids draft | sheaf delete -
              sheaf delete --where "done:<2025" --yes
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { _, items in
            var plan = ListEdit.Plan(
                report: "Deleted \(described(items)).",
                purpose: ListEdit.Purpose(
                    words: "delete \(described(items))", items: items, isDeletion: true))
            plan.reportOfResult = { result in
                let kept = result.keptIDs
                let items = items.filter { !kept.contains($0.id) }
                return items.isEmpty ? "Deleted nothing." : "Deleted \(described(items))."
            }
            for item in items { plan.changes.items.delete(item) }
            return plan
        }
    }
}

/// `sheaf move`: moves items to another place.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move items directly before or after another one.",
        usage:
            "sheaf move [--store <url>] (--before <other> | --after <other>) \(ItemArguments.usage)",
        discussion: """
            Several items are placed in the order in which they are given, those that a query finds in list order. If \
            one id is wrong, nothing is moved.

            \(ItemArguments.help)

            For example:
              sheaf move 9b2f --before 03ac
              sheaf move 9b2f 5d01 77e0 --after 03ac
              sheaf move --where "+garden is:open" --before 03ac
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var place: PlaceOptions

    @OptionGroup var items: ItemArguments

    func run() throws {
        let target = try ItemReference(place.other)
        let side = place.side
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { edit, items in
            let target = try await edit.items.item(target)
            // An item cannot be moved next to itself.
            let moved = items.filter { $0.id != target.id }
            let words = "\(described(moved)) \(side.rawValue) \(quoted(target.name))"
            var plan = ListEdit.Plan(
                report: "Moved \(words).",
                purpose: ListEdit.Purpose(words: "move \(words)", items: moved))
            plan.changes.items = try await edit.storage.changes(placing: moved, side, target)
            return plan
        }
    }
}

/// `sheaf set`: sets the name, the note, days, the recurrence and the priority of items.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the due dates, repeats, priorities, names and notes of items.",
        usage: """
            sheaf set [--store <url>] [--due <day>] [--scheduled <day>] [--repeat <rule>] [--priority <letter>] \
            [--name <name>] [--note <text>] \(ItemArguments.usage)
            """,
        discussion: """
            Fields that are not named stay as they are. The value none clears --due, --scheduled, --repeat and \
            --priority. If one id is wrong, nothing is changed.

            Days are typed as people say them: today, tomorrow, fri, next mon, 15, 15dec, 2026-12-01, 3d, 2w, in 3 \
            days, eow, eom, eoy; a repeat as 2w (two weeks after the item is done), +2w (after it was due), month, \
            weekday or every 3 days. 'sheaf done' adds the next occurrence of a repeating item.

            \(ItemArguments.help)

            For example:
              sheaf set 9b2f --due fri --priority A
              sheaf set 03ac --due 2026-12-31 --repeat +1m
              sheaf set --where "is:overdue @home" --due today
              sheaf list --ids +garden | sheaf set --scheduled none -
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var fields: FieldOptions

    @Option(help: ArgumentHelp("A new name, for one item.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("A new note, in place of the old one; '' for none.", valueName: "text")
    )
    var note: String?

    @OptionGroup var items: ItemArguments

    func validate() throws {
        guard try !fields.settings().isEmpty || name != nil || note != nil else {
            throw ValidationError(
                "Say what to set: --due, --scheduled, --repeat, --priority, --name or --note.")
        }
        guard name?.allSatisfy(\.isWhitespace) != true else {
            throw ValidationError("The name of an item cannot be blank.")
        }
    }

    func run() throws {
        let edited = try items.edited()
        let settings = try fields.settings()
        let texts = [name.map(ItemEdit.name), note.map(ItemEdit.note)].compactMap(\.self)
        let said =
            settings.map { $0.words() } + (name.map { ["name \(quoted($0))"] } ?? [])
            + (note.map { [$0.isEmpty ? "no note" : "new note"] } ?? [])
        try ListEdit.perform(on: store, edited) { [name] edit, items in
            guard name == nil || items.count < 2 else {
                throw CommandFailure(.usage, "--name is for one item, and you gave \(items.count)")
            }
            let changed = edit.changed(items, by: settings.map(ItemEdit.set) + texts)
            let subject = described(name == nil ? changed.upserts : items)
            let words = "\(subject): \(said.joined(separator: "; "))"
            var plan = ListEdit.Plan(
                report: "Set \(words).",
                purpose: ListEdit.Purpose(words: "set \(words)", items: changed.upserts))
            plan.changes.items = changed
            return plan
        }
    }
}

import ArgumentParser
import Glibc
import SheafFormats
import SheafList
import SheafStorage

/// `sheaf import`: brings a file's items into the list, all or none.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        _superCommandName: "sheaf",
        abstract: "Add the items of a file or standard input to the list.",
        discussion: """
            Formats: lines, where each line is an item; json, as list and export print it; markdown, where each \
            bullet is an item, the heading above it and its last #words are its tags, and the text indented under it \
            is its note; todotxt, where +project and @context are tags. An item of a JSON file whose id is in the \
            list is merged with that one: the later edit wins, field by field of what the file says, where null \
            clears a field, and a text that it replaces goes to the note as "was: …". Without a time of change the file wins. A task or a bullet that \
            matches an item of the list in all that it says is left out, unless --again is given. \
            Everything else is added at the end.

            Nested Markdown bullets become items of their own; a first-level heading is a title and is left out. \
            Exporting what was imported gives the same text.

            If any item cannot be read, its line is reported and nothing is imported. With --skip-bad, \
            only the unreadable items are left out.

            For example:
              sheaf import books.txt
              sheaf import --store work.sqlite ~/todo.txt
              dpkg-query -W -f '${Package}\\n' | sheaf import --store packages.sqlite -
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            """
            lines, json, markdown or todotxt (default: by the file's name: todo.txt and done.txt are todotxt, \
            .json is json, .md markdown, other .txt lines; and lines for standard input).
            """))
    var format: ListFormat?

    @Flag(help: "Import what can be read, and report what was left out.")
    var skipBad = false

    @Flag(help: "Also add tasks and bullets that are already in the list.")
    var again = false

    @Argument(help: "The file to read, or - for standard input.")
    var file: String

    func run() throws {
        let input = FileInput(file)
        let format = try format ?? guessedFormat(of: input)
        let progress = try ProgressLine()
        defer { progress.finish() }
        let parsed = try parse(input, as: format, progress)
        // A list that is brought back whole has the views that it had.
        let list = try store.open(parsed.isStore ? .readWriteCreate : .readWriteBegin)
        list.backUpDaily()
        progress.show("writing \(counted(parsed.list.items.count, "item"))")
        let isTold = format == .todotxt || format == .markdown
        let known = isTold && !again ? format : nil
        let plan = try waiting {
            try await ListAddition.add(parsed.list, to: list.storage, leavingOutKnown: known)
        }
        progress.finish()
        BadInput.reportLeftOut(of: parsed, in: input.name)
        FileOutput.report("\(Self.summary(plan, canAddAgain: known != nil)).\n")
    }

    /// `Imported 3 items, updated 2 (1 keeps in its note what was replaced), 4 there already`.
    private static func summary(_ plan: Importer.Plan, canAddAgain: Bool) -> String {
        var text = "Imported \(counted(plan.addedItems, "item"))"
        if plan.addedViews > 0 { text += " and \(counted(plan.addedViews, "view"))" }
        if plan.updatedItems > 0 { text += ", updated \(plan.updatedItems)" }
        if plan.notedItems > 0 {
            text += " (\(plan.notedItems) with the replaced text in the note)"
        }
        if plan.knownItems > 0 {
            text += ", \(plan.knownItems) already there"
            if canAddAgain { text += " (--again adds them)" }
        }
        return text
    }

    /// What can be read of `input`: all of it, or what is left with `--skip-bad`.
    private func parse(
        _ input: FileInput, as format: ListFormat, _ progress: ProgressLine
    ) throws -> ParsedList {
        let data = try input.read { count, size in
            let part = size.map { " \(count * 100 / max($0, 1)) %" } ?? ""
            progress.show("reading \(input.name)\(part)")
        }
        progress.show("looking for the items of \(input.name)")
        let parsed: ParsedList
        do {
            parsed = try format.parse(data)
        } catch {
            throw CommandFailure(.badInput, BadInput.sentence(error, in: input.name))
        }
        guard parsed.bad.isEmpty || skipBad else {
            progress.finish()
            BadInput.report(parsed.bad, in: input.name)
            throw CommandFailure(
                .badInput, "nothing was imported; --skip-bad imports what can be read")
        }
        return parsed
    }

    private func guessedFormat(of input: FileInput) throws -> ListFormat {
        if input.isStandardInput { return .lines }
        guard let format = ListFormat(fileName: file) else {
            // A name that tells nothing may be that of a folder or a device, and that is what to
            // say.
            try input.check()
            throw CommandFailure(
                .usage,
                "\(file): unknown format; add --format lines, json, markdown or todotxt"
            )
        }
        return format
    }
}

extension ListFormat: ExpressibleByArgument {}

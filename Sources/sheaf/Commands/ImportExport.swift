import ArgumentParser
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SheafStorage

/// `sheaf import`: adds a file's items to the list, all or none.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the items of a file or standard input to the list.",
        discussion: """
            Formats: lines, where each line is an item; json, as list and export print it; markdown, where each \
            bullet is an item, the heading above it and its #words are its tags, and the text indented under it \
            is its note; todotxt, where +project and @context are tags. An item of a JSON file whose id is in the \
            list is merged with that one: the later edit wins, field by field of what the file says, where null \
            clears a field, and a text that it replaces goes to the note as "was: …". Without a time of change the file wins. A task or a bullet that \
            matches an item of the list in every field that it has is left out, unless --again is given. \
            Everything else is added at the end.

            A Markdown bullet without a box under an item with one goes to the note of that item. Other nested \
            bullets become items of their own, after the item that they were under. Text that has no place in a list \
            is left out and reported with its line. An export of an unchanged todo.txt gives the same lines, and \
            an export of an imported Markdown file has the same items, headings and tags.

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
            .json is json, .md markdown; by its lines in another .txt or other file; and lines for standard input).
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
        let progress = try ProgressLine()
        defer { progress.finish() }
        let data = try input.read { count, size in
            let part = size.map { " \(count * 100 / max($0, 1)) %" } ?? ""
            progress.show("reading \(input.name)\(part)")
        }
        let format = try format ?? guessedFormat(of: data, in: input)
        progress.show("looking for the items of \(input.name)")
        let parsed = try parse(data, of: input, as: format, progress)
        // A file with a whole list has its own views, so a new list must not begin with the default
        // views.
        let list = try store.open(parsed.isStore ? .readWriteCreate : .readWriteBegin)
        list.backUpDaily()
        progress.show("writing \(counted(parsed.list.items.count, "item"))")
        let isTold = format == .todotxt || format == .markdown
        let known = isTold && !again ? format : nil
        let plan = try runBlocking {
            try await ListAddition.add(parsed.list, to: list.storage, excludingKnown: known)
        }
        progress.finish()
        BadInput.reportSkippedText(of: parsed, in: input.name)
        FileOutput.report("\(Self.summary(plan, canAddAgain: known != nil)).\n")
        if self.format == nil, !input.isStandardInput, format != ListFormat(fileName: file) {
            Diagnostics.report(
                "\(file) was read as \(format.rawValue), judging by its lines; --format lines takes"
                    + " each line as a name.")
        }
        if self.format == nil, format == .lines, ListFormat.mayBeTodoTxt(data) {
            Diagnostics.report(
                "\(input.name) was read as lines; if its words such as +House and @phone are tags,"
                    + " delete the items and import it with --format todotxt.")
        }
    }

    /// Returns the report: `Imported 3 items, updated 2 (1 with the replaced text in the note), 4
    /// already there`.
    private static func summary(_ plan: Importer.Plan, canAddAgain: Bool) -> String {
        var text = "Imported \(counted(plan.addedItems, "item"))"
        if plan.addedViews > 0 { text += " and \(counted(plan.addedViews, "view"))" }
        if plan.updatedItems > 0 { text += ", updated \(plan.updatedItems)" }
        if plan.notedItems > 0 {
            text += " (\(plan.notedItems) with the replaced text in the note)"
        }
        if plan.knownItems > 0 {
            text += ", \(plan.knownItems) already there"
            if plan.laterItems > 0 { text += " (\(plan.laterItems) edited later than in the file)" }
            if canAddAgain { text += " (--again adds them)" }
        }
        return text
    }

    /// Parses all of `data`, or with `--skip-bad` its readable part.
    private func parse(
        _ data: Data, of input: FileInput, as format: ListFormat, _ progress: ProgressLine
    ) throws -> ParsedList {
        let parsed: ParsedList
        do {
            parsed = try format.parse(data)
        } catch {
            throw CommandFailure(.badInput, BadInput.sentence(error, in: input.name))
        }
        guard parsed.errors.isEmpty || skipBad else {
            progress.finish()
            BadInput.report(parsed.errors, in: input.name)
            let advice = BadInput.conversion(of: parsed, in: input.name).map { ". \($0)" } ?? ""
            throw CommandFailure(
                .badInput,
                "nothing was imported; --skip-bad imports what can be read\(advice)")
        }
        let isText = format != .json && data.contains { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard !parsed.list.items.isEmpty || !isText && parsed.errors.isEmpty else {
            progress.finish()
            BadInput.reportSkippedText(of: parsed, in: input.name)
            let isOfLines = format == .markdown || format == .todotxt
            let advice = isOfLines ? "; --format lines takes each line as an item" : ""
            throw CommandFailure(
                .badInput,
                "\(input.name): no item was found when it was read as \(format.rawValue)\(advice)")
        }
        return parsed
    }

    /// Returns the format that the file's name implies. If the name implies none, or one whose
    /// lines have no distinct form, the content decides.
    private func guessedFormat(of data: Data, in input: FileInput) throws -> ListFormat {
        let guess: ListFormat?
        do throws(FormatError) {
            guess = try ListFormat.guess(data, name: input.isStandardInput ? nil : file)
        } catch {
            throw CommandFailure(
                .badInput,
                "\(BadInput.sentence(error, in: input.name)); --format lines takes each line as an"
                    + " item")
        }
        guard let guess else {
            throw CommandFailure(
                .usage,
                "\(file): unknown format; add --format lines, json, markdown or todotxt"
            )
        }
        return guess
    }
}

extension ListFormat: ExpressibleByArgument {}

/// Messages about the unreadable parts of a file.
enum BadInput {
    /// The maximum number of reported lines. The others are counted.
    private static let limit = 10

    /// Reports the first of `errors`, and the number of the others.
    static func report(_ errors: [FormatError], in name: String) {
        for error in errors.prefix(limit) { Diagnostics.report(sentence(error, in: name)) }
        reportRest(errors.count, in: name)
    }

    /// Reports the lines of the text `name` that were left out: all unreadable items, because their
    /// contents would otherwise be lost, and the first ten of the lines that a list cannot contain.
    static func reportSkippedText(of parsed: ParsedList, in name: String) {
        let shown = parsed.errors + parsed.skippedText.prefix(limit)
        for error in shown.sorted(by: { $0.line ?? 0 < $1.line ?? 0 }) {
            Diagnostics.report("left out \(sentence(error, in: name))")
        }
        reportRest(parsed.skippedText.count, in: name, after: "left out ")
        if let conversion = conversion(of: parsed, in: name) { Diagnostics.report(conversion) }
        report(parsed.unread, in: name)
        for (key, count) in parsed.unknownKeys.sorted(by: { $0.key < $1.key }).prefix(limit) {
            Diagnostics.report(
                "\(name): \(JSONText.quoted(key)) is not a field;"
                    + " \(counted(count, "item")) \(count == 1 ? "keeps" : "keep") it as an extra")
        }
        reportRest(parsed.unknownKeys.count, in: name)
        if parsed.nestedItems > 0 {
            let (items, verb) = (
                counted(parsed.nestedItems, "item"), parsed.nestedItems == 1 ? "was" : "were"
            )
            Diagnostics.report(
                "\(name): \(items) \(verb) nested under another item; each now follows it")
        }
    }

    /// Returns the command that converts a text from another encoding, if some of its lines are not
    /// UTF-8.
    static func conversion(of parsed: ParsedList, in name: String) -> String? {
        guard parsed.errors.contains(where: \.isNotUTF8) else { return nil }
        return "Text of another encoding is converted by: iconv -f LATIN1 -t UTF-8"
            + " \(ShellText.quoted(name)) > NEW"
    }

    private static func reportRest(_ count: Int, in name: String, after words: String = "") {
        let more = count - limit
        if more > 0 { Diagnostics.report("\(words)\(name): and \(more) more") }
    }

    /// Returns the message about an error: `books.txt:3: not valid UTF-8`.
    static func sentence(_ error: FormatError, in name: String) -> String {
        let line = error.line.map { "\($0):" } ?? ""
        let path = error.path.map { "\($0): " } ?? ""
        // The reason may contain a command that converts the file, with `FILE` as a placeholder.
        let reason = error.reason.replacing(" FILE ", with: " \(ShellText.quoted(name)) ")
        return "\(name):\(line) \(path)\(reason)"
    }
}

/// `sheaf export`: writes the list to a file that `import` can read.
struct ExportCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the list, or the items that a query finds, in a format that import reads.",
        discussion: """
            Formats: json, which is lossless; lines, one name per line; markdown, a checklist with #tags and \
            the headings that items were imported with, without times; todotxt, with dates instead of times, and @name for a tag that begins with neither + nor \
            @. A file is written completely or not at all; an existing file is kept, \
            unless --force is given. JSON has all tags, whatever the query. 'sheaf help list' explains queries.

            For example:
              sheaf export --output backup.json
              sheaf export --format lines +swift is:open > swift.txt
              sheaf export --output reading.md
            """)

    static let letters: Set = ["-o"]

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "json, lines, markdown or todotxt (default: by the output file's name; json without an ending)."
        ))
    var format: ListFormat?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"))
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var query: QueryArguments

    func validate() throws {
        if output?.isEmpty ?? false {
            throw ValidationError("The file to write has no name.")
        }
    }

    func run() throws {
        let format = try format ?? formatOfFile()
        let selection = try query.selection()
        let file = try store.reading { [output, force] list in
            let storage = list.storage
            try await storage.checkIntegrity()
            let tags = try await storage.loadTags()
            // Must come before the file is created, since the list may refuse the query.
            let search = try selection.search(in: tags)
            let file =
                if let output, output != "-" {
                    try FileOutput(path: output, source: list.location.file, replacing: force)
                } else {
                    FileOutput()
                }
            let rows = format == .json ? try await storage.loadSmall() : StorageChanges()
            try await storage.write(
                search, by: selection.order(in: tags), as: format.form(json: .jsonStore),
                tags: tags,
                rows: rows,
                to: file)
            return file
        }
        try file.finish()
    }

    /// Returns the format that the name of the output file implies: JSON for standard output and
    /// for a name without an ending.
    private func formatOfFile() throws -> ListFormat {
        guard let output, output != "-" else { return .json }
        if let format = ListFormat(fileName: output) { return format }
        let name = output.split(separator: "/").last ?? ""
        guard name.dropFirst().contains(".") else { return .json }
        throw CommandFailure(
            .usage, "\(output): unknown format; add --format lines, json, markdown or todotxt")
    }
}

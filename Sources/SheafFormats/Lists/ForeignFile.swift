import FoundationEssentials

/// A file of another program that no format reads, recognized by its content or its name.
enum ForeignFile: CaseIterable {
    case taskwarrior, trello, keep, todoist, roam, topydo
    case todoistTable, csv, org, opml, taskPaper, iCalendar

    /// Returns the program that wrote the JSON text `data`, recognized by the members of the first
    /// object, or `nil`. O(bytes of that object).
    static func json(_ data: Data) -> ForeignFile? {
        var scanner = JSONScanner(data)
        guard let keys = scanner.firstObjectKeys() else { return nil }
        return allCases.first { file in
            file.members.contains { $0.allSatisfy(keys.contains) }
        }
    }

    /// Returns the program whose files have the extension of `name`, or `nil`.
    static func named(_ name: String) -> ForeignFile? {
        let name = name.lowercased()
        let endings: [(String, ForeignFile)] = [
            (".csv", .csv), (".tsv", .csv), (".org", .org), (".taskpaper", .taskPaper),
            (".opml", .opml), (".ics", .iCalendar),
        ]
        return endings.first { name.hasSuffix($0.0) }?.1
    }

    /// Returns the program that wrote the text `data`, or `nil`. O(first 4 KB).
    static func text(_ data: Data) -> ForeignFile? {
        let lines = TextLines(data.prefix(4_096)).compactMap(\.text).filter { !$0.isEmpty }
        guard let first = lines.first else { return nil }
        if first.hasPrefix("BEGIN:VCALENDAR") { return .iCalendar }
        if first.hasPrefix("TYPE,CONTENT") { return .todoistTable }
        if lines.prefix(2).contains(where: { $0.contains("<opml") }) { return .opml }
        if 2 * lines.count(where: isOrg) > lines.count { return .org }
        if isTaskPaper(lines) { return .taskPaper }
        // The prefix may cut off the last line.
        return isTable(lines.count > 2 ? lines.dropLast() : lines) ? .csv : nil
    }

    /// Returns true if most of `lines` are bullets, one of them is done, and another line is a
    /// project.
    private static func isTaskPaper(_ lines: [String]) -> Bool {
        let bullets = lines.filter { $0.drop { $0 == "\t" }.hasPrefix("- ") }
        return 2 * bullets.count > lines.count && bullets.contains { $0.contains(" @done") }
            && lines.contains { $0.hasSuffix(":") && !$0.contains("- ") }
    }

    /// Returns true if the first of `lines` names the columns of a table, and all lines have at
    /// least that number of columns.
    private static func isTable(_ lines: [String]) -> Bool {
        guard let header = lines.first, lines.count > 1,
            let separator = header.first(where: { ",;\t".contains($0) })
        else { return false }
        let columns = header.lowercased().split(separator: separator)
            .map { $0.filter { $0.isLetter || $0 == " " } }
        let isHeader =
            columns.allSatisfy { !$0.isEmpty && $0.count < 20 }
            && columns.contains { ["title", "name", "task", "content", "subject"].contains($0) }
        return isHeader
            && lines.allSatisfy { $0.count { $0 == separator } >= columns.count - 1 }
    }

    private static func isOrg(_ line: String) -> Bool {
        let text = line.drop { $0 == "*" }
        return text.startIndex > line.startIndex
            && (text.hasPrefix(" TODO ") || text.hasPrefix(" DONE "))
    }

    /// Alternative sets of members. An object with all members of one set is of this kind.
    private var members: [[String]] {
        switch self {
        case .taskwarrior:
            [["description", "status", "uuid"], ["description", "status", "entry"]]
        case .trello: [["cards", "lists"], ["idBoard", "idList"]]
        case .keep: [["isTrashed", "isArchived"], ["listContent", "isTrashed"]]
        case .todoist: [["projects", "items"], ["content", "project_id"]]
        case .roam: [["title", "children"], ["string", "children"]]
        case .topydo: [["source", "projects", "contexts"]]
        case .todoistTable, .csv, .org, .opml, .taskPaper, .iCalendar: []
        }
    }

    private var name: String {
        switch self {
        case .taskwarrior: "a Taskwarrior export"
        case .trello: "a Trello board"
        case .keep: "a note of Google Keep"
        case .todoist, .todoistTable: "a Todoist export"
        case .roam: "a Roam export"
        case .topydo: "JSON of topydo"
        case .csv: "a table (CSV)"
        case .org: "an Org file"
        case .opml: "an OPML file"
        case .taskPaper: "a TaskPaper file"
        case .iCalendar: "an iCalendar file"
        }
    }

    /// The command or the step that converts such a file, with FILE for its name.
    private var conversion: String {
        switch self {
        case .taskwarrior:
            #"task export | jq 'def time: if . then strptime("%Y%m%dT%H%M%SZ") | mktime else null"#
                + #" end; def day: time | if . then strflocaltime("%F") else null end; "#
                + #"[.[] | select(.status != "deleted" and .status != "recurring") | {"#
                + #"id: .uuid, name: .description, done: (.status == "completed"), "#
                + #"doneAt: (.end | time | if . then todate else null end), "#
                + #"createdAt: (.entry | time | todate), "#
                + #"updatedAt: (.modified // .entry | time | todate), due: (.due | day), "#
                + #"scheduled: (.scheduled // .wait | day), "#
                + #"priority: {H: "A", M: "B", L: "C"}[.priority // ""], "#
                + #"note: ([.annotations[]?.description] | join("\n")), "#
                + #"tags: ((.tags // []) + [.project // empty | "+" + gsub("[.]"; "/")])}]'"#
                + " > tasks.json"
        case .trello:
            #"jq '(if type == "array" then {cards: .} else . end)"#
                + #" | ([.lists[]? | {(.id): .name}] | add // {}) as $lists"#
                + #" | [.cards[] | {name, note: (.desc // ""), done: (.dueComplete or .closed), "#
                + #"due: (if .due then .due[:19] + "Z" | fromdate | strflocaltime("%F")"#
                + #" else null end), tags: ([.labels[]?"#
                + #" | if .name == "" then .color else .name end]"#
                + #" + [$lists[.idList] // empty | "+" + .])}]' FILE > cards.json"#
        case .keep:
            "jq '[(.listContent // [{text: (.title + \" \" + (.textContent // \"\"))}])[]"
                + " | {name: .text, done: (.isChecked // false)}]' FILE > notes.json"
        case .todoist:
            "jq '[(.items? // .)[] | {name: .content, done: (.checked // false)}]' FILE > items.json"
        case .todoistTable: "save the column CONTENT as a .txt file, one item per line"
        case .roam: "export it as Markdown"
        case .topydo: "import the todo.txt that topydo keeps"
        case .csv: "save the column of names as a .txt file, one item per line"
        case .org:
            "sed -nE 's/^\\*+ DONE /- [x] /p; s/^\\*+ (TODO )?/- [ ] /p' FILE > list.md"
        case .opml: "export it as Markdown, or as plain text with one item per line"
        case .taskPaper:
            "sed -E 's/^(\\s*)- (.*) @done.*/\\1- [x] \\2/; t; s/^(\\s*)- /\\1- [ ] /' FILE > list.md"
        case .iCalendar: "sed -nE 's/^SUMMARY[^:]*://p' FILE > items.txt"
        }
    }

    /// The error that names the program and says how to convert the file.
    var error: FormatError {
        var error = FormatError(
            line: nil,
            reason: "this is \(name), which cannot be read yet. Convert it: \(conversion)")
        error.kind = .foreign
        return error
    }
}

extension JSONScanner {
    /// Returns the keys of the object at this place, or of the first object of the array here.
    /// Returns `nil` if there is none.
    fileprivate mutating func firstObjectKeys() -> Set<String>? {
        guard peek() == UInt8(ascii: "[") else { return objectKeys() }
        var keys: Set<String>?
        do throws(FormatError) {
            try eachElement { (scanner) throws(FormatError) in
                keys = scanner.objectKeys()
                // An error ends the iteration after the first element.
                throw scanner.error("")
            }
        } catch {}
        return keys
    }

    private mutating func objectKeys() -> Set<String>? {
        guard peek() == UInt8(ascii: "{") else { return nil }
        var keys: Set<String> = []
        do throws(FormatError) {
            try eachMember { (scanner, key) throws(FormatError) in
                keys.insert(key)
                _ = try scanner.value()
            }
        } catch {
            return nil
        }
        return keys
    }
}

import FoundationEssentials

/// A file of another program, known by what is in it, that no format reads.
enum ForeignFile: CaseIterable {
    case taskwarrior, trello, keep, todoist, roam, topydo
    case csv, org, opml, taskPaper, iCalendar

    /// The kind of the JSON text `data`, by the members of its objects, or nil if it is of none.
    static func json(_ data: Data) -> ForeignFile? {
        var scanner = JSONScanner(data)
        guard let keys = scanner.firstObjectKeys() else { return nil }
        return allCases.first { file in
            file.members.contains { $0.allSatisfy(keys.contains) }
        }
    }

    /// The kind of the text `data` in a file called `name`, or nil if it is of none. O(first 4 KB).
    static func text(_ data: Data, name: String) -> ForeignFile? {
        let start = String(decoding: data.prefix(4_096), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline)
        let name = name.lowercased()
        guard let first = lines.first else { return nil }
        if first.hasPrefix("BEGIN:VCALENDAR") { return .iCalendar }
        if start.contains("<opml") { return .opml }
        if first.hasPrefix("TYPE,CONTENT") { return .todoist }
        if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return .csv }
        if name.hasSuffix(".org") || lines.contains(where: isOrg) { return .org }
        return name.hasSuffix(".taskpaper") ? .taskPaper : nil
    }

    private static func isOrg(_ line: Substring) -> Bool {
        let text = line.drop { $0 == "*" }
        return text.startIndex > line.startIndex
            && (text.hasPrefix(" TODO ") || text.hasPrefix(" DONE "))
    }

    /// Sets of members of which an object of the kind has all of one.
    private var members: [[String]] {
        switch self {
        case .taskwarrior:
            [["description", "status", "uuid"], ["description", "status", "entry"]]
        case .trello: [["cards", "lists"], ["idBoard", "idList"]]
        case .keep: [["isTrashed", "isArchived"], ["listContent", "isTrashed"]]
        case .todoist: [["projects", "items"], ["content", "project_id"]]
        case .roam: [["title", "children"], ["string", "children"]]
        case .topydo: [["source", "projects", "contexts"]]
        case .csv, .org, .opml, .taskPaper, .iCalendar: []
        }
    }

    private var name: String {
        switch self {
        case .taskwarrior: "a Taskwarrior export"
        case .trello: "a Trello board"
        case .keep: "a note of Google Keep"
        case .todoist: "a Todoist export"
        case .roam: "a Roam export"
        case .topydo: "JSON of topydo"
        case .csv: "a table (CSV)"
        case .org: "an Org file"
        case .opml: "an OPML file"
        case .taskPaper: "a TaskPaper file"
        case .iCalendar: "an iCalendar file"
        }
    }

    /// How to make a file of it that can be read; FILE is the file.
    private var conversion: String {
        switch self {
        case .taskwarrior:
            "task export | jq '[.[] | {name: .description, done: (.status == \"completed\"),"
                + " tags: (.tags // [])}]' > tasks.json"
        case .trello:
            "jq '[.cards[] | {name, note: .desc, done: .closed}]' FILE > cards.json"
        case .keep: "jq '[.listContent[] | {name: .text, done: .isChecked}]' FILE > notes.json"
        case .todoist: "save the column CONTENT as a .txt file, an item a line"
        case .roam: "export it as Markdown"
        case .topydo: "import the todo.txt that topydo keeps"
        case .csv: "save the column of names as a .txt file, an item a line"
        case .org:
            "sed -nE 's/^\\*+ DONE /- [x] /p; s/^\\*+ (TODO )?/- [ ] /p' FILE > list.md"
        case .opml: "export it as Markdown, or as plain text with an item a line"
        case .taskPaper:
            "sed -E 's/^(\\s*)- (.*) @done.*/\\1- [x] \\2/; t; s/^(\\s*)- /\\1- [ ] /' FILE > list.md"
        case .iCalendar: "sed -n 's/^SUMMARY://p' FILE > items.txt"
        }
    }

    /// The error that names the kind and how to convert it.
    var error: FormatError {
        var error = FormatError(
            line: nil,
            reason: "this is \(name), which cannot be read yet. Convert it: \(conversion)")
        error.kind = .foreign
        return error
    }
}

extension JSONScanner {
    /// The keys of the object that begins here, or with which the array here begins; nil if there
    /// is none.
    fileprivate mutating func firstObjectKeys() -> Set<String>? {
        guard peek() == UInt8(ascii: "[") else { return objectKeys() }
        var keys: Set<String>?
        do throws(FormatError) {
            try eachElement { (scanner) throws(FormatError) in
                keys = scanner.objectKeys()
                // The rest of the array is of no interest.
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

import Foundation
import Testing

@testable import SheafFormats

/// Files of other programs.
@Suite("Foreign files")
struct ForeignFileTests {
    @Test(
        "JSON of other programs is named, with how to convert it",
        arguments: [
            (#"[{"uuid": "1", "description": "a", "status": "pending"}]"#, "Taskwarrior"),
            (
                #"{"uuid": "1", "description": "a", "status": "done"}\#n{"uuid": "2"}"#,
                "Taskwarrior"
            ),
            (#"{"name": "B", "lists": [], "cards": [{"name": "c", "closed": false}]}"#, "Trello"),
            (#"{"title": "t", "isTrashed": false, "isArchived": false}"#, "Keep"),
            (#"{"projects": [], "items": [{"content": "a"}]}"#, "Todoist"),
            (#"[{"title": "day", "children": [{"string": "a"}]}]"#, "Roam"),
            (#"[{"source": "a", "projects": [], "contexts": [], "completed": false}]"#, "topydo"),
        ])
    func json(_ text: String, _ program: String) throws {
        let error = #expect(throws: FormatError.self) {
            try ListFormat.json.parse(Data(text.utf8))
        }
        #expect(error?.kind == .foreign)
        #expect(error?.reason.contains(program) == true, "\(error as Any)")
        for name in ["export", "export.txt", nil] {
            let guess = #expect(throws: FormatError.self) {
                try ListFormat.guess(Data(text.utf8), name: name)
            }
            #expect(guess == error)
        }
    }

    @Test(
        "text of other programs is named",
        arguments: [
            ("c", "\u{FEFF}BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:x\n", "iCalendar"),
            ("o.org", "- [ ] a\n", "Org"), ("notes", "* TODO a\n** DONE b\n", "Org"),
            ("x", "<?xml version=\"1.0\"?>\n<opml version=\"2.0\">", "OPML"),
            ("t.taskpaper", "Inbox:\n\t- a @done\n", "TaskPaper"),
            ("todoist.csv", "TYPE,CONTENT,PRIORITY\ntask,a,1\n", "Todoist"),
            ("t.csv", "id,subject\n1,a\n", "CSV"),
        ])
    func text(_ name: String, _ text: String, _ program: String) throws {
        let error = #expect(throws: FormatError.self) {
            try ListFormat.guess(Data(text.utf8), name: name)
        }
        #expect(error?.reason.contains(program) == true)
    }

    @Test(
        "lists of names, and JSON that is read, are not foreign",
        arguments: ["a\nb\n", "[ ] a\n{b\n", "** a **\n", "a\nb\n* TODO c\n", "a\nb\nc <opml>\n"])
    func own(_ text: String) throws {
        #expect(try ListFormat.guess(Data(text.utf8), name: "list.txt") == .lines)
        #expect(try ListFormat.guess(Data(text.utf8), name: nil) == .lines)
        #expect(
            try ListFormat.json.parse(Data(#"[{"name": "a", "status": "x", "done": true}]"#.utf8))
                .errors == [])
    }

    @Test("an item whose member may say that it is done is refused, unless done says it")
    func unknownDone() throws {
        for (member, isRefused) in [
            (#""finished": true"#, true), (#""completed": false"#, true),
            (#""isDone": true"#, true),
            (#""status": "Done""#, true), (#""completedAt": "2026-11-01""#, true),
            (#""status": "reading""#, false), (#""state": "CA""#, false),
            (#""closed": "Mondays""#, false), (#""finished": true, "done": true"#, false),
        ] {
            let text = #"[{"name": "a", \#(member)}]"#
            let parsed = try ListFormat.json.parse(Data(text.utf8))
            #expect(parsed.list.items.isEmpty == isRefused, "\(text)")
            #expect(parsed.errors.first?.reason.contains("add \"done\"") ?? false == isRefused)
        }
    }
}

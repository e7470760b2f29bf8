import Foundation
import SheafTestSupport
import Testing

/// Days and times in the user's time zone, on the built program.
@Suite("Commands in a time zone")
struct TimeZoneCommandTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// The output of the program in a time zone, on a list in `a.sqlite`.
    private func run(_ zone: String, _ line: String) async throws -> String {
        let command = line.prefix { $0 != " " }
        let result = try await sheaf.shell(
            "TZ='\(zone)' \"$SHEAF\" \(command) --store a.sqlite\(line.dropFirst(command.count))")
        #expect(result.status == 0, "\(line): \(result.errors)")
        return result.output
    }

    static let zones = [
        "Pacific/Pago_Pago", "America/New_York", "UTC", "Europe/Berlin", "Asia/Kathmandu",
        "Pacific/Kiritimati",
    ]

    @Test("a date of a todo.txt is found on that day and exported as that day", arguments: zones)
    func dates(zone: String) async throws {
        let text = "x 2026-11-20 2026-11-01 old one\n2026-03-08 open\n"
        try sheaf.write(text, to: "todo.txt")
        _ = try await run(zone, "import todo.txt")
        for (query, names) in [
            ("done:2026-11-20", "old one\n"), ("done:2026-11-19", ""), ("done:2026-11-21", ""),
            ("created:2026-11-01", "old one\n"), ("created:2026-10-31", ""),
            ("created:2026-11-02", ""), ("created:2026-03-08", "open\n"),
            ("created:2026-03-07", ""), ("changed:2026-11-01", "old one\n"),
            ("done:2026-11-20..2026-11-20", "old one\n"), ("'done:>2026-11-19'", "old one\n"),
            ("'done:>2026-11-20'", ""), ("'done:<2026-11-20'", ""), ("done:2026-11", "old one\n"),
            ("created:..2026-10", "open\n"),
        ] {
            #expect(try await run(zone, "list \(query)") == names, "\(query)")
        }
        #expect(try await run(zone, "export --format todotxt") == text)
        // Another time zone changes nothing about days without a time.
        for other in Self.zones {
            #expect(try await run(other, "list --format todotxt") == text)
        }
    }

    @Test("an edit is newer than a day of creation that lies ahead", arguments: zones)
    func ahead(zone: String) async throws {
        try sheaf.write("2999-01-01 call anna\n", to: "todo.txt")
        _ = try await run(zone, "import todo.txt")
        _ = try await run(zone, "export --output old.json")
        _ = try await run(zone, "done --where anna --yes")
        #expect(try await run(zone, "import old.json").contains("1 already there"))
        #expect(try await run(zone, "list is:done") == "call anna\n")
    }

    @Test(
        "an item lies on the local day on which it was done, however close to midnight",
        arguments: [
            ("Pacific/Pago_Pago", "2026-11-20T11:00:00.000Z", "2026-11-21T10:59:59.999Z"),
            ("America/New_York", "2026-11-20T05:00:00.000Z", "2026-11-21T04:59:59.999Z"),
            ("UTC", "2026-11-20T00:00:00.001Z", "2026-11-20T23:59:59.999Z"),
            ("Europe/Berlin", "2026-11-19T23:00:00.000Z", "2026-11-20T22:59:59.999Z"),
            ("Asia/Kathmandu", "2026-11-19T18:15:00.000Z", "2026-11-20T18:14:59.999Z"),
            ("Pacific/Kiritimati", "2026-11-19T10:00:00.000Z", "2026-11-20T09:59:59.999Z"),
        ])
    func moments(zone: String, first: String, last: String) async throws {
        try sheaf.write(
            """
            [{"name": "first", "createdAt": "\(first)", "doneAt": "\(first)", "done": true},
             {"name": "last", "createdAt": "\(last)", "doneAt": "\(last)", "done": true}]
            """, to: "list.json")
        _ = try await run(zone, "import list.json")
        let text = "x 2026-11-20 2026-11-20 first\nx 2026-11-20 2026-11-20 last\n"
        #expect(try await run(zone, "export --format todotxt") == text)
        #expect(try await run(zone, "list done:2026-11-20 created:2026-11-20") == "first\nlast\n")
        #expect(try await run(zone, "list done:2026-11-19 OR done:2026-11-21") == "")
        // JSON keeps the time, and an import of the export finds both.
        let json = try await run(zone, "list --format json")
        #expect(json.contains(#""doneAt": "\#(first)""#) && json.contains(#""doneAt": "\#(last)""#))
        try sheaf.write(text, to: "todo.txt")
        _ = try await run(zone, "import todo.txt")
        #expect(try await run(zone, "count") == "2\n")
    }

    @Test("days without a time sort among the moments of their day", arguments: [false, true])
    func sorts(isReversed: Bool) async throws {
        try sheaf.write(
            """
            [{"name": "late on the 19th", "createdAt": "2026-11-20T04:59:59.999Z"},
             {"name": "the 20th", "createdAt": "2026-11-20"},
             {"name": "early on the 20th", "createdAt": "2026-11-20T05:00:00.001Z"},
             {"name": "summer, the 8th of March", "createdAt": "2026-03-09"},
             {"name": "the evening before", "createdAt": "2026-03-09T03:30:00Z"}]
            """, to: "list.json")
        _ = try await run("America/New_York", "import list.json")
        let sorted = [
            "early on the 20th", "the 20th", "late on the 19th", "summer, the 8th of March",
            "the evening before",
        ]
        let output = try await run(
            "America/New_York", "list --sort created\(isReversed ? " --reverse" : "")")
        #expect(
            output.split(separator: "\n").map(String.init)
                == (isReversed ? sorted.reversed() : sorted))
    }

    @Test("a date is read from Markdown and JSON as that day", arguments: zones)
    func otherFormats(zone: String) async throws {
        try sheaf.write("- [x] from Markdown ➕ 2026-11-01 ✅ 2026-11-20\n", to: "list.md")
        try sheaf.write(
            #"[{"name": "from JSON", "createdAt": "2026-11-01", "doneAt": "2026-11-20"}]"#,
            to: "list.json")
        _ = try await run(zone, "import list.md")
        _ = try await run(zone, "import list.json")
        let names = try await run(zone, "list done:2026-11-20 created:2026-11-01")
        #expect(names == "from Markdown\nfrom JSON\n")
        let text = try await run(zone, "list --format todotxt")
        #expect(
            text == """
                x 2026-11-20 2026-11-01 from Markdown
                x 2026-11-20 2026-11-01 from JSON

                """)
        let json = try await run(zone, "list --format json")
        #expect(json.contains(#""doneAt": "2026-11-20T00:00:00.000Z""#))
    }

    @Test("an item that is made and done today is found today", arguments: zones)
    func today(zone: String) async throws {
        _ = try await run(zone, "add new")
        let id = try await run(zone, "list --ids").prefix(8)
        _ = try await run(zone, "done \(id)")
        // The day may begin between two commands.
        #expect(try await run(zone, "list done:1d created:1d changed:1d") == "new\n")
        try sheaf.write(try await run(zone, "list --format todotxt"), to: "todo.txt")
        let again = try await run(zone, "import todo.txt")
        #expect(try await run(zone, "count") == "1\n", "\(again)")
        // A date of today is that of today, also if its midnight in UTC is yet to come.
        let day = try await sheaf.shell("TZ='\(zone)' date +%F").output.prefix(10)
        try sheaf.write("\(day) dated\n", to: "todo.txt")
        _ = try await run(zone, "import todo.txt")
        let row = try await run(zone, "list --format table --sort created dated")
        #expect(row.hasSuffix("  \(day)\n"), "\(row)")
    }

    @Test("an idle screen shows the next day as soon as that begins")
    func midnight() async throws {
        let start = ContinuousClock.now
        // A zone where the day ends in six seconds; POSIX counts to the west.
        let ahead = 86_400 - 6 - Int(Date().timeIntervalSince1970) % 86_400
        let west = ahead > 43_200 ? 86_400 - ahead : -ahead
        let parts = [abs(west) / 3_600, abs(west) / 60 % 60, abs(west) % 60].map(String.init)
        let zone = "ZONE\(west < 0 ? "-" : "")\(parts.joined(separator: ":"))"
        _ = try await run(zone, "add Milk --due today")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("TZ='\(zone)' $SHEAF --store a.sqlite")
        try await terminal.wait(for: "today")
        try await terminal.wait(for: "1 late")
        #expect(Torture.isSanitized || .now - start < .seconds(8))
    }
}

import Foundation
import SheafTestSupport
import Testing

/// A list whose every text would steer a terminal, brought in by every way that there is.
struct HostileList {
    /// The parts of hostile names, arguments and queries: sequences by ESC and by C1, a bidi
    /// control, line ends.
    static let name = "e\u{1b}[31337m\u{9b}2J\u{1b}]0;31337\u{7}\u{202e}\r\n\u{85}\u{2028}"

    /// The list's file, whose own name is one of the texts.
    let store: String
    let sheaf: SheafBinary

    /// The whole id of the item in this place; all begin with `aaaa`.
    static func id(_ place: Int) -> String {
        "aaaa\(1_000 + place)-0000-4000-8000-000000000000"
    }

    /// Fills a list of the kind that `suffix` tells, `.sqlite` or `.json`.
    init(_ sheaf: SheafBinary, suffix: String) async throws {
        self.sheaf = sheaf
        store = Self.name + suffix
        try sheaf.write(Self.json(HostileText.all), to: "hostile.json")
        if suffix == ".json" {
            // The store itself, with C1 and bidi controls as they are: JSON allows them.
            try sheaf.write(Self.json(HostileText.all, hasSorts: false), to: store)
        } else {
            try await expectDone(["import", "--store", store, "hostile.json"])
        }
        try await expectDone(
            [
                "add", "--literal", "--store", store, Self.name, "--tag", Self.name + "2", "--note",
                Self.name,
            ])
        try sheaf.write(
            HostileText.sequences.joined(separator: "\n") + "\n", to: "hostile.txt")
        try await expectDone(["import", "--store", store, "hostile.txt"])
        if suffix == ".sqlite" { try await addBrokenBytes() }
    }

    private func expectDone(_ arguments: [String]) async throws {
        let result = try await sheaf.run(arguments)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
    }

    /// Texts that are no UTF-8, written by the sqlite3 shell into every column that holds text for
    /// people.
    private func addBrokenBytes() async throws {
        let all = HostileText.brokenBytes + [[0x61, 0x00, 0x1b, 0x63]]
        let names = all.indices.map { "broken\($0)." }
        let tags = names.flatMap { ["--tag", $0] }
        try await expectDone(["add", "--literal", "--store", store] + names + tags)
        let updates = zip(all.indices, all).map { place, bytes in
            let digits = ([0x61] + bytes + [0x62]).map {
                String(UInt16($0) + 0x100, radix: 16).dropFirst()
            }
            .joined()
            let text = "CAST(x'\(digits)' AS TEXT)"
            return """
                UPDATE items SET name = \(text), note = \(text), extras = \(text)
                  WHERE name = 'broken\(place).';
                UPDATE tags SET name = \(text) WHERE name = 'broken\(place).';
                UPDATE views SET name = \(text), query = \(text), sort = \(text)
                  WHERE id LIKE 'eeee\(1_000 + place)%';
                """
        }
        try sheaf.write(updates.joined(separator: "\n"), to: "broken.sql")
        let result = try await sheaf.shell("sqlite3 '\(store)' < broken.sql")
        #expect(result.status == 0, "\(result.errors)")
    }

    /// A list with an item for each of `texts`, which is its name, note and extra, and, behind a
    /// letter, its tag; and with a view of that name, query and tag.
    private static func json(_ texts: [String], hasSorts: Bool = true) throws -> String {
        let items = texts.enumerated().map { place, text in
            [
                "id": id(place), "name": text, "note": text, "tags": ["t" + text],
                "extras": [[text, text]],
            ] as [String: Any]
        }
        let tags = texts.enumerated().map { place, text in
            [
                "id": id(place).replacing("aaaa", with: "bbbb"), "name": "t" + text, "color": "red",
            ]
        }
        let views = texts.enumerated().map { place, text in
            [
                "id": id(place).replacing("aaaa", with: "eeee"), "name": "v" + text,
                "query": text, "tag": "t" + text, "sort": hasSorts ? text : "name",
            ]
        }
        let list: [String: Any] = [
            "format": "sheaf", "version": 1, "items": items, "tags": tags, "views": views,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: list), as: UTF8.self)
    }
}

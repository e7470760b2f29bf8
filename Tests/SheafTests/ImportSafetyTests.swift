import Foundation
import SheafTestSupport
import Testing

/// An import is all or nothing.
@Suite("Imports")
struct ImportSafetyTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    @Test("a bad line at the very end imports nothing", arguments: ["sqlite", "json"])
    func badEnd(_ kind: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.\(kind)", "kept")
        let lines = (1...5000).map { "line \($0)\n" }.joined()
        try (Data(lines.utf8) + Data([0xFF, 0x0A]))
            .write(to: URL(fileURLWithPath: sheaf.path("x.txt")))
        let before = try sheaf.bytes(of: "a.\(kind)")
        #expect(try await sheaf.run("import", "--store", "a.\(kind)", "x.txt").status == 65)
        #expect(try sheaf.bytes(of: "a.\(kind)") == before)
    }

    @Test("an older file changes no item, and keys that name no field are reported")
    func olderAndUnknown() async throws {
        try sheaf.write(
            "[{\"id\": \"00000000-0000-0000-0000-000000000001\", \"name\": \"old\","
                + " \"updatedAt\": \"2020-01-01\", \"prio\": 1, \"Due\": \"x\"},"
                + " {\"name\": \"b\", \"prio\": 2, \"extras\": [[\"k\", \"v\"]]}]", to: "x.json")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "x.json")
        #expect(
            result.errors == """
                sheaf: x.json: "Due" is not a field; 1 item keeps it as an extra
                sheaf: x.json: "prio" is not a field; 2 items keep it as an extra

                """)
        _ = try await sheaf.run("rename", "--store", "a.sqlite", "00000000", "new")
        let again = try await sheaf.run("import", "--store", "a.sqlite", "x.json")
        #expect(
            again.output == "Imported 1 item, 1 already there (1 edited later than in the file).\n")
        let shown = try await sheaf.run("show", "--store", "a.sqlite", "00000000")
        #expect(shown.output.contains("new") && !shown.output.contains("was:"), "\(shown)")
    }

    @Test(
        "an import that is killed at any moment has brought in all or nothing",
        arguments: ["sqlite", "json"])
    func killed(_ kind: String) async throws {
        let count = 1000
        try sheaf.write((1...count).map { "line \($0)\n" }.joined(), to: "x.txt")
        _ = try await sheaf.run("add", "--store", "base.\(kind)", "kept")
        var seen: [Int: Int] = [:]
        let moments = Torture.count(6, of: 50)
        for step in 0..<moments {
            let delay = 0.2 * Double(step) / Double(moments)
            let result = try await sheaf.shell(
                """
                rm -f a.\(kind)*; cp base.\(kind) a.\(kind)
                timeout -s KILL \(delay + 0.01) "$SHEAF" import --store a.\(kind) x.txt
                "$SHEAF" list --store a.\(kind) | wc -l
                """)
            let after = try #require(
                result.output.split(separator: "\n").last.flatMap {
                    Int($0.trimmingCharacters(in: .whitespaces))
                }, "\(result.errors)")
            #expect([1, count + 1].contains(after), "killed after \(delay) s: \(after) items")
            seen[after, default: 0] += 1
        }
        #expect(seen[1, default: 0] > 0, "no import was killed in time: \(seen)")
    }
}

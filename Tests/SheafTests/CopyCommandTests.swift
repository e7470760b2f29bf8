import Foundation
import Testing

/// `sheaf copy` as it is typed.
@Suite("Copy command")
struct CopyCommandTests {
    private let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        _ = try await sheaf.run("demo", "--items", "300", "--store", "a.sqlite")
    }

    private func export(_ list: String) async throws -> String {
        try await sheaf.run("export", "--store", list).output
    }

    @Test("a list goes to another kind and back, and each time it is the same")
    func thereAndBack() async throws {
        let there = try await sheaf.run("copy", "sqlite:a.sqlite", "json:new/b.json")
        #expect(there.status == 0)
        #expect(there.output.hasPrefix("Copied 300 items, "))
        #expect(there.output.hasSuffix(" to new/b.json.\n"))
        #expect(try await sheaf.run("copy", "new/b.json", "c.sqlite").status == 0)
        #expect(try await export("new/b.json") == export("a.sqlite"))
        #expect(try await export("c.sqlite") == export("a.sqlite"))
        #expect(
            try await sheaf.shell("stat -c %a c.sqlite new/b.json new").output == "600\n600\n700\n")
    }

    @Test("an empty list that exists is filled, and the same command again does nothing")
    func filled() async throws {
        _ = try await sheaf.run("add", "x", "--store", "b.json")
        let id = try await sheaf.shell("$SHEAF list --ids --store b.json | cut -c1-36").output
        _ = try await sheaf.run("delete", String(id.prefix(36)), "--store", "b.json")
        #expect(try await sheaf.run("copy", "a.sqlite", "b.json").status == 0)
        #expect(try await export("b.json") == export("a.sqlite"))
        let again = try await sheaf.run("copy", "a.sqlite", "b.json")
        #expect(again.output == "b.json already has all of a.sqlite.\n")
    }

    @Test(
        "the next command removes what a killed copy or export has left, and a draft left beside a list"
    )
    func killed() async throws {
        let result = try await sheaf.shell(
            """
            "$SHEAF" demo --items 30000 --store big.sqlite >&2
            for command in "copy big.sqlite new.sqlite" "export --store big.sqlite -o out.json"; do
                "$SHEAF" $command >/dev/null &
                until ls -A | grep -q 'new-'; do kill -0 $! || break; done
                kill -9 $!; wait $!
                ls -A | grep -c 'new-'
                "$SHEAF" $command >/dev/null; ls -A | grep 'new-'; rm -f new.sqlite out.json
            done
            mkdir -m 700 .a.sqlite.new-deaddeaddeaddeaddeaddeaddeaddead; "$SHEAF" add --store a.sqlite x >/dev/null; ls -A | grep 'new-'
            """)
        let counts = result.output.split(separator: "\n").compactMap { Int($0) }
        #expect(counts.count == 2 && counts.allSatisfy { $0 > 0 })
        #expect(result.output == counts.map { "\($0)\n" }.joined())
    }

    @Test("a list with items of its own is left as it is")
    func refused() async throws {
        for list in ["b.json", "b.sqlite"] {
            _ = try await sheaf.run("add", "mine", "--store", list)
            let before = try sheaf.bytes(of: list)
            let result = try await sheaf.run("copy", "a.sqlite", list)
            #expect(result.status == 73)
            #expect(
                result.errors
                    == "sheaf: \(list): already has 1 item; name a list that is empty or does not exist\n"
            )
            #expect(try sheaf.bytes(of: list) == before)
        }
    }

    @Test(
        "what cannot be copied or made ends with its status, and makes nothing",
        arguments: [
            ("copy none.sqlite b.sqlite", 66), ("copy a.sqlite a.sqlite", 64),
            ("copy a.sqlite link.sqlite", 64), ("copy a.sqlite /proc/b.sqlite", 73),
            ("copy a.sqlite foreign.sqlite", 65), ("copy memory: b.sqlite", 64),
            ("copy a.sqlite memory:", 64), ("copy a.sqlite notes.md", 64), ("copy a.sqlite", 64),
        ])
    func failures(_ line: String, _ status: Int) async throws {
        try sheaf.write("no list", to: "foreign.sqlite")
        _ = try await sheaf.shell("ln -s a.sqlite link.sqlite")
        let result = try await sheaf.run(line.split(separator: " ").map(String.init))
        #expect(Int(result.status) == status, "\(result.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: sheaf.folder.path)
        #expect(names.filter { $0.contains("b.") || $0.contains("notes") } == [])
        #expect(try sheaf.bytes(of: "foreign.sqlite") == Data("no list".utf8))
    }

    @Test("where there is no room for all of it, a new file is not there at all")
    func noRoom() async throws {
        #expect(try await sheaf.shell("ulimit -f 8; $SHEAF copy a.sqlite b.sqlite").status == 74)
        let names = try FileManager.default.contentsOfDirectory(atPath: sheaf.folder.path)
        #expect(names.filter { $0.contains("b.sqlite") } == [])
    }
}

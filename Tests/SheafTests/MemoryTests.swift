import Foundation
import SheafTestSupport
import Testing

/// `--store memory:`, for trying the screen.
@Suite("A list in memory")
struct MemoryTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// The files below the home folder, without those of the test itself.
    private var files: [String] {
        get throws {
            let own = [".shrc", ".trace", ".in-", ".out-", ".err-"]
            return try FileManager.default.subpathsOfDirectory(atPath: sheaf.folder.path)
                .filter { name in !own.contains { name.hasPrefix($0) } }
        }
    }

    @Test("the screen edits it, says it is saved, and quits without a question or a file")
    func screen() async throws {
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF --store memory:; echo status $?")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("aone")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ one")
        try terminal.type("tred")
        try terminal.press("Enter")
        try await terminal.wait(for: "#red")
        try await terminal.wait(for: "✓ saved")
        #expect(try terminal.screen.contains("memory"))
        #expect(try files.isEmpty)
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try files.isEmpty)
    }

    @Test("quits at once with changes that were never written")
    func unwritten() async throws {
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF --store memory: --fail-writes 1; echo status $?")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("aone")
        try terminal.press("Enter")
        try await terminal.wait(for: "NOT SAVED")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try !terminal.screen.contains("lost"))
        #expect(try files.isEmpty)
    }

    /// By the system calls themselves: a file that is gone again would not be seen otherwise.
    @Test("no call of the system makes a file", .needs(.strace))
    func calls() async throws {
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "strace -f -qq -o .trace -e trace=file $SHEAF --store memory:; echo status $?")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("aone")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ one")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        let trace = try String(contentsOfFile: sheaf.path(".trace"), encoding: .utf8)
        let calls = trace.split(separator: "\n")
        #expect(calls.count > 5)
        let writing = calls.filter { call in
            ["O_CREAT", "O_WRONLY", "O_RDWR", "mkdir", "rename", "unlink", "link("].contains {
                call.contains($0)
            } && !call.contains("/dev/") && !call.contains("readlink")
        }
        #expect(writing.isEmpty, "\(writing.joined(separator: "\n"))")
    }

    @Test(
        "a command refuses it",
        arguments: [
            "list --store memory:", "add x --store memory:", "export --store memory:",
            "import - --format lines --store memory:", "done 9b2f --store MEMORY:",
            "demo --store memory:", "backup copy --store memory:", "restore --store memory:",
            "doctor --store memory:", "tag list --store memory:", "view --store memory:",
            "doctor --store a.sqlite --recover memory:",
        ])
    func commands(_ command: String) async throws {
        let result = try await sheaf.shell("$SHEAF \(command) </dev/null")
        #expect(result.status == 64)
        #expect(result.errors == "sheaf: memory: is for trying the screen; name a file\n")
        #expect(try files.isEmpty)
    }
}

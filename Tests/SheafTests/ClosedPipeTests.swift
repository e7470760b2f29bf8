import Foundation
import Testing

/// A reader of our output may stop reading.
@Suite("Closed pipes")
struct ClosedPipeTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    @Test(
        "a command that prints ends quietly when nobody reads, even where SIGPIPE is ignored",
        arguments: [
            "list --store a.sqlite", "list --store a.sqlite --format json",
            "list --store a.sqlite --format table", "export --store a.sqlite",
            "export --store a.sqlite --format markdown", "tag list --store a.sqlite", "keys",
            "doctor --store a.sqlite", "restore --store a.sqlite", "--help", "list --help",
            "--version", "add --store a.sqlite x", "backup --store a.sqlite b.sqlite --force",
        ])
    func endsQuietly(_ command: String) async throws {
        _ = try await sheaf.run("demo", "--store", "a.sqlite", "--items", "50")
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one more")
        // The reader ends before the writer begins, so that no buffer can hide it.
        for trap in ["", "trap '' PIPE;"] {
            let result = try await sheaf.shell(
                """
                mkfifo pipe; (exec 3<pipe) & \(trap)
                exec 4>pipe; wait $!
                timeout 60 "$SHEAF" \(command) >&4; echo $? >status; rm pipe
                """)
            let status = String(decoding: try sheaf.bytes(of: "status"), as: UTF8.self)
            // 128 and the number of SIGPIPE.
            #expect(status == "141\n", "\(command)")
            #expect(result.errors.isEmpty, "\(command): \(result.errors)")
        }
    }
}

import Foundation
import SheafTestSupport
import Testing

/// Files of the program are for the user alone, and files that others planted do no harm.
@Suite("Files and folders")
struct PrivacyTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// Every file and folder below the runs' folder, with its permissions.
    private func modes() throws -> [String: Int] {
        var modes: [String: Int] = [:]
        let names = FileManager.default.enumerator(atPath: sheaf.folder.path)
        while let name = names?.nextObject() as? String {
            // The redirections of the test itself.
            if name.hasPrefix(".in-") || name.hasPrefix(".out-") || name.hasPrefix(".err-") {
                continue
            }
            var status = stat()
            guard lstat(sheaf.path(name), &status) == 0 else { continue }
            modes[name] = Int(status.st_mode & 0o7777)
        }
        return modes
    }

    @Test(
        "all that the program makes is private under any umask", arguments: ["000", "077", "277"])
    func umasks(_ mask: String) async throws {
        let result = try await sheaf.shell(
            """
            umask \(mask); s() { "$SHEAF" "$@" >/dev/null || echo "failed: $*"; }
            for k in sqlite json; do
                s add --store d/e/a.$k one; s add --store d/e/a.$k two
                s export --store d/e/a.$k --output export-$k.md
                s backup --store d/e/a.$k backup.$k
                s restore --store d/e/a.$k backup.$k
                s doctor --store d/e/a.$k --recover recovered.$k
            done
            """)
        #expect(result.output.isEmpty, "\(result.output)\(result.errors)")
        let modes = try modes()
        #expect(modes.count > 15)
        for (name, mode) in modes {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: sheaf.path(name), isDirectory: &isFolder)
            #expect(
                mode == (isFolder.boolValue ? 0o700 : 0o600),
                "\(name) is \(String(mode, radix: 8))")
        }
    }

    /// By the system calls themselves: a mode that is set a moment later would not be seen here.
    @Test("no file or folder is open to others for a moment", .needs(.strace))
    func firstMoment() async throws {
        let result = try await sheaf.shell(
            """
            umask 000; t() { strace -f -qq -o trace-$1 -e trace=openat,open,creat,mkdir,mkdirat,umask \
                "$SHEAF" $2 >/dev/null || echo "failed: $2"; }
            t 1 "add --store d/a.sqlite one"; t 2 "add --store d/a.sqlite two"
            t 3 "add --store d/a.json one"; t 4 "add --store d/a.json two"
            t 5 "export --store d/a.json --output x.md"; t 6 "backup --store d/a.sqlite b.sqlite"
            t 7 "restore --store d/a.sqlite b.sqlite"
            t 8 "doctor --store d/a.sqlite --recover r.sqlite"
            """)
        #expect(result.output.isEmpty, "\(result.output)\(result.errors)")
        var made = 0
        for number in 1...8 {
            let trace = String(decoding: try sheaf.bytes(of: "trace-\(number)"), as: UTF8.self)
            var mask = 0
            for line in trace.split(separator: "\n") {
                if let call = line.firstMatch(of: /umask\((\d+)\)/) {
                    mask = Int(call.output.1, radix: 8) ?? 0
                }
                guard line.contains("mkdir") || line.contains("O_CREAT"),
                    let call = line.firstMatch(of: /, (0\d+)\) += \d/),
                    let mode = Int(call.output.1, radix: 8)
                else { continue }
                made += 1
                #expect(mode & ~mask & 0o077 == 0, "\(line)")
            }
        }
        #expect(made > 12)
    }

    @Test(
        "links, FIFOs and folders planted where it writes do no harm", .timeLimit(.minutes(1)),
        arguments: ["link", "fifo", "folder"])
    func planted(_ kind: String) async throws {
        let names = [
            ".a.json.sheaf-new", "a.sqlite-journal", "a.sqlite.backup-v1",
            "a.sqlite.before-restore-1", "log",
        ]
        _ = try await sheaf.run("add", "--store", "a.json", "one")
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        try sheaf.write("precious", to: "victim")
        for name in names {
            switch kind {
            case "link":
                try FileManager.default.createSymbolicLink(
                    atPath: sheaf.path(name), withDestinationPath: sheaf.path("victim"))
            case "fifo": #expect(mkfifo(sheaf.path(name), 0o600) == 0)
            default:
                try FileManager.default.createDirectory(
                    atPath: sheaf.path(name), withIntermediateDirectories: false)
            }
        }
        for command in [
            "add --store a.json two", "add --store a.sqlite two",
            "backup --store a.sqlite b.sqlite", "backup --store a.sqlite b.sqlite --force",
            "restore --store a.json a.sqlite", "doctor --store a.sqlite", "doctor --store a.json",
            "restore --store a.sqlite",
        ] {
            let result = try await sheaf.shell("timeout 20 \"$SHEAF\" \(command) </dev/null")
            #expect(result.status != 124, "\(command) hangs on a \(kind)")
            #expect(result.status < 126, "\(command): \(result.errors)")
        }
        #expect(try sheaf.bytes(of: "victim") == Data("precious".utf8))
        let log = try await sheaf.shell("timeout 20 \"$SHEAF\" --store a.json --log log </dev/null")
        #expect(log.status != 124)
        #expect(try sheaf.bytes(of: "victim") == Data("precious".utf8))
        #expect(try await sheaf.names("a.json") == ["one", "two"])
        #expect(try await sheaf.run("list", "--store", "a.sqlite").status == 66)
        try FileManager.default.removeItem(atPath: sheaf.path("a.sqlite-journal"))
        #expect(try await sheaf.names() == ["one"])
    }
}

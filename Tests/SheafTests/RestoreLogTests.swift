import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

/// Changes that could not be saved once, on their way back into their list.
@Suite("Logs as restore takes them in")
struct RestoreLogTests {
    private let sheaf: SheafBinary
    private let tags = Fixtures.tags(["one", "two"])

    init() async throws {
        sheaf = try SheafBinary()
        _ = try await sheaf.run("add", "milk", "--store", "work.sqlite")
    }

    /// Leaves a log of the list `name` where no command looks for it, and returns its path.
    @MainActor
    private static func leaveAway(
        in sheaf: SheafBinary, of name: String = "work.sqlite",
        _ edit: (inout StorageChanges) -> Void = { $0.items.upsert(Fixtures.items(["bread"])) }
    ) throws -> String {
        var changes = StorageChanges()
        edit(&changes)
        let log = try StoreURL(.sqlite, path: sheaf.path(name)).location.newLog()
        try log.append(changes)
        log.close()
        let logs = try FileManager.default.contentsOfDirectory(atPath: sheaf.path("."))
            .filter { $0.hasPrefix(".\(name).intents-") }
        let away = sheaf.path("away")
        guard logs.count == 1, rename(sheaf.path(logs[0]), away) == 0 else {
            throw POSIXError(.ENOENT)
        }
        return away
    }

    /// The names of the items, in alphabetical order.
    private func names(_ list: String = "work.sqlite") async throws -> [String] {
        try await sheaf.run("list", "--store", list).output.split(separator: "\n").map(String.init)
            .sorted()
    }

    /// The list as todo.txt has it, in alphabetical order: the items with their tags.
    private func tagged() async throws -> [String] {
        let text = try await sheaf.run("list", "--format", "todotxt", "--store", "work.sqlite")
            .output
        return text.split(separator: "\n").map { line in
            line.split(separator: " ").filter { !$0.contains(":") && !$0.hasPrefix("2") }
                .joined(separator: " ")
        }.sorted()
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private var workList: StoreURL { StoreURL(.sqlite, path: sheaf.path("work.sqlite")) }

    private var standardList: String { sheaf.path(".local/share/sheaf/sheaf.sqlite") }

    // The list it goes into

    @Test("restore and doctor name a rescue file of an earlier version, which is not taken in")
    func rescueFile() async throws {
        let state = sheaf.path(".local/state/sheaf")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let file = "\(state)/rescue-\(try workList.location.key)-1.json"
        let text = "{\"format\":\"sheaf-rescue\",\"items\":[{\"name\":\"bread\"}]}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let lines = try await sheaf.run("restore", "--store", "work.sqlite").output
        #expect(lines.contains("not saved  earlier version  rescue file  \(file)\n"))
        let doctor = try await sheaf.run("doctor", "--store", "work.sqlite")
        #expect(doctor.output.contains("items: “bread”"), "\(doctor.output)")
        #expect(doctor.status == 0)
        let refused = try await sheaf.run("restore", file, "--store", "work.sqlite")
        #expect(
            refused.errors
                == "sheaf: \(file): an earlier version of the program wrote this rescue file."
                + " 'sheaf doctor' prints what it holds.\n")
        #expect(refused.status == 65)
        #expect(try await names() == ["milk"])
        #expect(exists(file))
    }

    @Test("doctor names a remembered view of an earlier version")
    func formerView() async throws {
        let views = sheaf.path(".local/state/sheaf/views")
        try FileManager.default.createDirectory(atPath: views, withIntermediateDirectories: true)
        let file = "\(views)/\(try workList.location.key).json"
        try Data("{\"hidesDone\":true}".utf8).write(to: URL(fileURLWithPath: file))
        let doctor = try await sheaf.run("doctor", "--store", "work.sqlite")
        #expect(doctor.output.contains("remembered view: \(file), of another version"))
        #expect(doctor.status == 0)
    }

    @Test("it is not taken in to another list, which --store names")
    func otherList() async throws {
        _ = try await sheaf.run("add", "other", "--store", "other.sqlite")
        let file = try await Self.leaveAway(in: sheaf)
        let result = try await sheaf.run("restore", file, "--store", "other.sqlite")
        #expect(result.status == 64)
        #expect(result.errors.contains("sqlite:\(sheaf.path("work.sqlite"))"))
        #expect(result.errors.contains("sheaf restore \(file)"))
        #expect(exists(file))
        #expect(try await names("other.sqlite") == ["other"])
        #expect(try await sheaf.shell("ln -s work.sqlite link.sqlite").status == 0)
        #expect(try await sheaf.run("restore", file, "--store", "link.sqlite").status == 0)
        #expect(try await names() == ["bread", "milk"])
    }

    @Test("one that does not say of which list it is needs --store")
    func nameless() async throws {
        let file = try await Self.leaveAway(in: sheaf)
        let shell = "sqlite3 away \"UPDATE origin SET list = 'work.sqlite'\""
        #expect(try await sheaf.shell(shell).status == 0)
        let refused = try await sheaf.run("restore", file)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--store"))
        #expect(exists(file))
        #expect(!exists(standardList))
        #expect(try await sheaf.run("restore", file, "--store", "work.sqlite").status == 0)
        #expect(try await names() == ["bread", "milk"])
    }

    @Test("a list that is gone is not made anew unless --store says so")
    func listGone() async throws {
        let file = try await Self.leaveAway(in: sheaf, of: "gone.sqlite")
        let refused = try await sheaf.run("restore", file)
        #expect(refused.status == 66)
        #expect(refused.errors.contains("--store"))
        #expect(!exists(sheaf.path("gone.sqlite")))
        #expect(try await sheaf.run("restore", file, "--store", "work.sqlite").status == 0)
        #expect(try await names() == ["bread", "milk"])
        let again = try await Self.leaveAway(in: sheaf, of: "gone.sqlite")
        #expect(try await sheaf.run("restore", again, "--store", "gone.sqlite").status == 0)
        #expect(try await names("gone.sqlite") == ["bread"])
    }

    // Refusals

    private func commit(_ edit: (inout StorageChanges) -> Void) async throws {
        var changes = StorageChanges()
        edit(&changes)
        let storage = try workList.location.openStorage(.readWrite)
        _ = try await storage.commit(changes)
        await storage.close()
    }

    /// Leaves the log of a run that was killed while the first of `batches` was being committed.
    @MainActor
    private static func leave(_ batches: [StorageChanges], beside url: StoreURL) throws {
        let location = try url.location
        let storage = try location.openStorage(.readWrite)
        defer { withExtendedLifetime(storage) {} }
        let log = try location.newLog()
        for (index, batch) in batches.enumerated() {
            try log.append(batch)
            if index == 0 { try log.handOver() }
        }
        try log.abandon(in: (url.path as NSString).deletingLastPathComponent)
    }

    @Test(
        "a log of a list that was moved is kept where another list is, and applied to the moved one"
    )
    func movedList() async throws {
        var changes = StorageChanges()
        changes.items.upsert(Fixtures.items(["bread"]))
        try await Self.leave([changes], beside: workList)
        _ = try await sheaf.run("add", "other", "--store", "other.sqlite")
        let moved = "mv work.sqlite moved.sqlite && mv other.sqlite work.sqlite"
        #expect(try await sheaf.shell(moved).status == 0)
        let first = try await sheaf.run("add", "more", "--store", "work.sqlite")
        #expect(first.status == 0)
        #expect(first.errors.contains("these unsaved changes are of another list"))
        #expect(try await names() == ["more", "other"])
        let log = try #require(
            first.errors.split(whereSeparator: \.isWhitespace).first { $0.contains(".intents-") })
        let path = String(log.dropLast())
        #expect(try await sheaf.run("restore", path).status == 64)
        let refused = try await sheaf.run("restore", path, "--store", "work.sqlite")
        #expect(refused.status == 64 && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try await names() == ["more", "other"])
        let applied = try await sheaf.run("restore", path, "--store", "moved.sqlite")
        #expect(
            applied.output == "Applied 1 change to moved.sqlite; the file was removed.\n",
            "\(applied.errors)")
        #expect(try await names("moved.sqlite") == ["bread", "milk"])
    }

    @Test("the unsaved changes of a list that is gone are told with the error")
    func goneList() async throws {
        var changes = StorageChanges()
        changes.items.upsert(Fixtures.items(["bread"]))
        try await Self.leave([changes], beside: workList)
        #expect(unlink(sheaf.path("work.sqlite")) == 0)
        let result = try await sheaf.run("list", "--store", "work.sqlite")
        #expect(result.status == 66)
        #expect(result.errors.contains("holds 1 unsaved change of this list"))
        #expect(result.errors.contains("sheaf restore"), "\(result.errors)")
    }

    /// The first tag gets the name of the second, and an item carries it.
    private func renameTag(_ changes: inout StorageChanges) {
        var renamed = tags[0]
        renamed.name = "two"
        changes.tags.replace(tags[0], with: renamed)
        var bread = Fixtures.items(["bread"])[0]
        bread.tags = [renamed.id]
        changes.items.upsert(bread)
    }

    @Test("a tag whose name is taken meanwhile is told of and stays in the log, alone")
    func refusedInReplay() async throws {
        try await commit { $0.tags.upsert(tags) }
        var changes = StorageChanges()
        renameTag(&changes)
        try await Self.leave([changes], beside: workList)
        let first = try await sheaf.run("list", "--store", "work.sqlite")
        #expect(
            first.errors.hasPrefix(
                "sheaf: Recovered 1 unsaved change of an interrupted session, but not the tag"
                    + " “two”: another tag already has that name. It stays in a log, which 'sheaf"
                    + " doctor' prints; to try it again: sheaf restore "))
        #expect(try await tagged() == ["bread @one", "milk"])
        #expect(try await sheaf.run("list", "--store", "work.sqlite").errors.isEmpty)
        let log = try #require(first.errors.split(whereSeparator: \.isWhitespace).last)
        _ = try await sheaf.run("tag", "rename", "two", "three", "--store", "work.sqlite")
        let again = try await sheaf.run("restore", String(log))
        #expect(
            again.output
                == "Applied 1 change to \(sheaf.path("work.sqlite")); the file was removed.\n",
            "\(again.errors)")
        #expect(try await tagged() == ["bread @two", "milk"])
    }

    @Test("where nothing can be written, a log is read through a copy that goes, and stays")
    func readOnlyFolder() async throws {
        var changes = StorageChanges()
        changes.items.upsert(Fixtures.items(["bread"]))
        try await Self.leave([changes], beside: workList)
        let result = try await sheaf.shell(
            """
            mkdir tmp && ls -A > before
            if [ "$(id -u)" = 0 ]; then
                chown -R 65534:65534 . && set -- setpriv --reuid=65534 --regid=65534 --clear-groups
            fi
            chmod 555 . && trap 'chmod 755 .' EXIT
            set -- "$@" env HOME="$PWD/tmp" TMPDIR="$PWD/tmp" "$SHEAF"
            "$@" list --store work.sqlite && "$@" doctor --store work.sqlite | grep '“bread”'
            ls -A tmp; ls -A | diff before -
            """)
        #expect(result.output == "milk\n           added the item “bread”\n")
        #expect(
            result.errors
                == "sheaf: Not in the list: 1 unsaved change of an interrupted session. The folder is"
                + " not writable (Permission denied).\n")
    }

    @Test(
        "a tag that was made elsewhere too is one tag, in the batches of a replay that follow too")
    func substitutedInReplay() async throws {
        try await commit { $0.tags.upsert([tags[0]]) }
        var (made, used) = (StorageChanges(), StorageChanges())
        made.tags.upsert([tags[1]])
        made.tags[tags[1].id]?.after?.name = "ONE"
        var bread = Fixtures.items(["bread"])[0]
        bread.tags = [tags[1].id]
        used.items.upsert(bread)
        try await Self.leave([made, used], beside: workList)
        let first = try await sheaf.run("list", "--store", "work.sqlite")
        #expect(
            first.errors == "sheaf: Recovered 2 unsaved changes of an interrupted session\n")
        #expect(try await tagged() == ["bread @one", "milk"])
    }

    @Test("a tag in a log whose name is taken is told of and kept, all else is taken in")
    func refusedInFile() async throws {
        try await commit { $0.tags.upsert(tags) }
        let file = try await Self.leaveAway(in: sheaf) { renameTag(&$0) }
        for taken in ["1 change", "0 changes"] {
            let result = try await sheaf.run("restore", file, "--store", "work.sqlite")
            #expect(
                result.output
                    == "Applied \(taken) to work.sqlite, but not the tag “two”: another tag already has that name.\n",
                "\(result.errors)")
            #expect(
                result.errors
                    == "sheaf: \(file): holds the changes that were refused. Restore it again once"
                    + " the cause is fixed.\n")
            #expect(result.status == 65)
            #expect(try await tagged() == ["bread @one", "milk"])
        }
        // Held, it could not be taken in.
        #expect(try AbandonedLog.named(file)?.list == workList.description)
        #expect(try AbandonedLog.named(file)?.count == 1)
        _ = try await sheaf.run("tag", "rename", "two", "three", "--store", "work.sqlite")
        let again = try await sheaf.run("restore", file, "--store", "work.sqlite")
        #expect(
            again.output == "Applied 1 change to work.sqlite; the file was removed.\n",
            "\(again.errors)")
        #expect(again.status == 0)
        #expect(!exists(file))
        #expect(try await tagged() == ["bread @two", "milk"])
    }

    @Test("a tag in a log that was made elsewhere too is taken in as that")
    func substitutedInFile() async throws {
        try await commit { $0.tags.upsert([tags[0]]) }
        let file = try await Self.leaveAway(in: sheaf) { changes in
            changes.tags.upsert([tags[1]])
            changes.tags[tags[1].id]?.after?.name = "ONE"
            var bread = Fixtures.items(["bread"])[0]
            bread.tags = [tags[1].id]
            changes.items.upsert(bread)
        }
        let result = try await sheaf.run("restore", file, "--store", "work.sqlite")
        #expect(
            result.output == "Applied 2 changes to work.sqlite; the file was removed.\n",
            "\(result.errors)")
        #expect(!exists(file))
        #expect(try await tagged() == ["bread @one", "milk"])
    }

    // MARK: Files that are no logs

    @Test("a FIFO is not waited for, and a file that is no log is not read whole")
    func notOne() async throws {
        #expect(mkfifo(sheaf.path("fifo"), 0o600) == 0)
        let fifo = try await sheaf.shell("timeout 20 \"$SHEAF\" restore fifo --store work.sqlite")
        #expect(fifo.status == 66)
        #expect(fifo.errors == "sheaf: fifo: this is a FIFO, not a file\n")
        try sheaf.write("x", to: "large")
        #expect(truncate(sheaf.path("large"), 3 << 30) == 0)
        // A sanitizer needs more than any limit leaves it.
        let limit = Torture.isSanitized ? "unlimited" : "1500000"
        let large = try await sheaf.shell(
            "ulimit -v \(limit); timeout 60 \"$SHEAF\" restore large --store work.sqlite")
        #expect(large.status == 65, "\(large.errors)")
    }
}

extension StoreURL {
    /// Its place, where nothing of a home folder matters.
    var location: FileLocation {
        get throws { try FileLocation(self, environment: [:]) }
    }
}

import Foundation
import Testing

@testable import Swidux
@testable import SwiduxJSON

@MainActor
@Suite("Files of JSON") struct JSONFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String = "list.json") async throws -> TodoStore {
        try await openedAgain {
            try openTodos(at: folder.file(name), environment: TodoEnvironment())
        }
    }

    private func save(_ titles: String..., in name: String = "list.json") async throws {
        let store = try await open(name)
        for title in titles { store.send(.add(title)) }
        await store.persistence?.flush()
        try #require(store.persistence?.status.phase == .saved)
    }

    private func refusal(_ name: String = "list.json") async -> JSONFile.Failure? {
        await #expect(throws: JSONFile.Failure.self) { _ = try await open(name) }
    }

    @Test("a new file, and folders on the way to it, are for the user alone")
    func permissions() async throws {
        try await save("Milk", in: "a/b/list.json")
        #expect(folder.mode(of: "a") == 0o700)
        #expect(folder.mode(of: "a/b") == 0o700)
        #expect(folder.mode(of: "a/b/list.json") == 0o600)
    }

    @Test("a file keeps the permissions that it was given")
    func keptPermissions() async throws {
        try await save("Milk")
        chmod(folder.file("list.json"), 0o640)
        try await save("Bread")
        #expect(folder.mode(of: "list.json") == 0o640)
    }

    @Test("it has one entity a line and no other file beside it")
    func text() async throws {
        try await save("Milk", "Bread")
        let lines = try folder.text(of: "list.json").split(separator: "\n")
        #expect(lines.first == #"{"swidux":1,"format":"todos","version":1,"entities":{"#)
        #expect(lines.count == 5)
        #expect(lines.filter { $0.contains("isDone") }.count == 2)
        #expect(try folder.names == ["list.json"])
    }

    @Test("drafts that a killed process left are removed")
    func leftDrafts() async throws {
        let left = ".list.json.swidux-new-0123456789abcdef0123456789abcdef"
        try folder.write("{", to: left)
        try await save("Milk")
        #expect(try folder.names == ["list.json"])
    }

    // MARK: The lock

    @Test("a second store is refused, also after the file was replaced, until the first is gone")
    func lock() async throws {
        var store: TodoStore? = try await open()
        for title in ["Milk", "Bread"] {
            #expect(await refusal()?.code == .inUse)
            store?.send(.add(title))
            await store?.persistence?.flush()
        }
        #expect(await refusal()?.code == .inUse)
        #expect(await refusal()?.reason == "it is open already, in another process or in this one")
        store = nil
        #expect(try await open().state.todos.count == 2)
    }

    @Test("of many who open a new file at once one has it, and the others are told so")
    func race() async {
        let file = JSONFile(folder.file("list.json"), format: "todos")
        let openings = await withTaskGroup(of: Opening.self) { group in
            for _ in 0..<50 { group.addTask { Opening(file) } }
            var openings: [Opening] = []
            for await opening in group { openings.append(opening) }
            return openings
        }
        #expect(openings.count { $0.refusal == nil } == 1)
        #expect(openings.count { $0.refusal == .inUse } == 49)
    }

    @Test("who opens a file while it is being replaced is refused, whichever of the two they open")
    func replacement() async throws {
        let file = JSONFile(folder.file("list.json"), format: "todos")
        let open = try OpenJSONFile(file, [])
        // Not in the pool of tasks, which other tests need.
        async let refusals = withCheckedContinuation { continuation in
            DispatchQueue(label: "openings").async {
                let refusals = (0..<3_000).map { _ in Opening(file).refusal }
                continuation.resume(returning: Set(refusals))
            }
        }
        for _ in 0..<50 { _ = try await open.commit(NamedChanges()) }
        #expect(await refusals == [.inUse])
    }

    /// A file that is open, or why it is not.
    private struct Opening: Sendable {
        var file: OpenJSONFile?
        var refusal: JSONFile.Failure.Code?

        init(_ file: JSONFile) {
            do throws(JSONFile.Failure) {
                self.file = try OpenJSONFile(file, [])
            } catch {
                refusal = error.code
            }
        }
    }

    @Test("another process is refused", .enabled(if: access("/usr/bin/flock", X_OK) == 0))
    func otherProcess() async throws {
        let store = try await open()
        store.send(.add("Milk"))
        await store.persistence?.flush()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = ["--nonblock", folder.file("list.json"), "true"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        withExtendedLifetime(store) {}
    }

    // MARK: Unknown content

    @Test(
        "what it does not understand it refuses and leaves alone",
        arguments: [
            ("", JSONFile.Failure.Code.corrupt), ("\n", .foreign), ("milk\nbread\n", .foreign),
            ("{}", .foreign), ("[]", .foreign), ("null", .foreign),
            (#"{"format":"sheaf","version":1,"items":[]}"#, .foreign),
            (#"{"swidux":1,"format":"notes","version":1,"entities":{}}"#, .foreign),
            (#"{"swidux":1,"format":"todos","version":2,"entities":{}}"#, .newer),
            (#"{"swidux":2,"format":"todos","version":1,"entities":{}}"#, .newer),
            (#"{"swidux":1,"format":"todos","version":1,"entities":{"tags":[]}}"#, .newer),
            (#"{"swidux":1,"format":"todos","version":1}"#, .corrupt),
            (#"{"swidux":1,"format":"todos","version":1,"entities":{"todos":{}}}"#, .corrupt),
            (#"{"swidux":1,"format":"todos","version":1,"entities":{"todos":[{}]}}"#, .corrupt),
        ])
    func misunderstood(text: String, code: JSONFile.Failure.Code) async throws {
        try folder.write(text, to: "list.json")
        #expect(await refusal()?.code == code)
        #expect(try folder.text(of: "list.json") == text)
        #expect(try folder.names == ["list.json"])
    }

    @Test("a file that ends anywhere is refused and left alone")
    func truncated() async throws {
        try await save("Milk", "Bread")
        let whole = try folder.data(of: "list.json")
        // Without its last line feed it is whole.
        for count in 0..<whole.count - 1 {
            try folder.write(whole.prefix(count), to: "list.json")
            #expect(await refusal()?.code == (0 < count && count < 10 ? .foreign : .corrupt))
            #expect(try folder.data(of: "list.json").count == count)
        }
    }

    @Test("two entries with one id, or with a rank that is none, are damage")
    func damage() async throws {
        try await save("Milk")
        let text = try folder.text(of: "list.json")
        let line = try #require(text.split(separator: "\n").first { $0.contains("Milk") })
        try folder.write(text.replacing(line, with: "\(line),\n\(line)"), to: "list.json")
        let failure = await refusal()
        #expect(failure?.code == .corrupt)
        #expect(failure?.reason == "entities.todos: two entries have one id")
        try folder.write(text.replacing(#""rank":"a0""#, with: #""rank":"?""#), to: "list.json")
        #expect(await refusal()?.reason == "entities.todos[0].rank: this is no rank")
    }

    @Test("a file of an earlier version, and one without a store that was added since, are read")
    func earlier() throws {
        try folder.write(
            #"{"swidux":1,"format":"todos","version":1,"entities":{}}"#, to: "list.json")
        let store = try Store(
            initialState: TodoList(), reducer: Reduce(reduce), environment: TodoEnvironment(),
            keeping: [Kept("todos", \.todos)],
            in: JSONFile(folder.file("list.json"), format: "todos", version: 2))
        #expect(store.state.todos.isEmpty)
    }

    // MARK: Paths without a file

    @Test("a folder, a FIFO and a socket in its place are refused at once")
    func noFiles() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
        #expect(mknod(folder.file("socket"), S_IFSOCK | 0o600, 0) == 0)
        for (name, words) in [("folder", "a folder"), ("fifo", "a FIFO"), ("socket", "a socket")] {
            let failure = await refusal(name)
            #expect(failure?.code == .cannotOpen)
            #expect(failure?.reason == "this is \(words), not a file")
        }
        #expect(await refusal("fifo/list.json")?.code == .cannotOpen)
        let device = #expect(throws: JSONFile.Failure.self) {
            _ = try openTodos(at: "/dev/null", environment: TodoEnvironment())
        }
        #expect(device?.reason == "this is a device, not a file")
    }

    @Test("a link is followed, and stays; one to nothing is refused")
    func links() async throws {
        try await save("Milk", in: "real.json")
        let link = folder.file("list.json")
        #expect(symlink("real.json", link) == 0)
        try await save("Bread")
        #expect(readlink(link) == "real.json")
        #expect(try await open("real.json").state.todos.map(\.title) == ["Milk", "Bread"])
        #expect(symlink("nothing.json", folder.file("dangling.json")) == 0)
        #expect(await refusal("dangling.json")?.code == .cannotOpen)
        #expect(try folder.names == ["dangling.json", "list.json", "real.json"])
    }

    @Test("a link of another user is refused", .enabled(if: geteuid() == 0))
    func untrustedLink() async throws {
        try await save("Milk", in: "real.json")
        #expect(symlink("real.json", folder.file("list.json")) == 0)
        #expect(lchown(folder.file("list.json"), 65534, 65534) == 0)
        #expect(await refusal()?.reason.contains("belongs to another user") == true)
    }

    private func readlink(_ path: String) -> String? {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: path)
        } catch {
            return nil
        }
    }

    // MARK: While it is open

    @Test(
        "a file that another program changed, deleted or replaced meanwhile is left alone",
        arguments: ["changed", "deleted", "replaced", "linked"])
    func others(deed: String) async throws {
        try await save("Milk")
        let path = folder.file("list.json")
        let store = try await open()
        switch deed {
        case "changed": try folder.write("mine\n", to: "list.json")
        case "deleted": unlink(path)
        case "replaced":
            try folder.write("mine\n", to: "new")
            rename(folder.file("new"), path)
        default:
            try folder.write("mine\n", to: "new")
            unlink(path)
            symlink("new", path)
        }
        store.send(.add("Bread"))
        await store.persistence?.flush()
        let status = try #require(store.persistence?.status)
        #expect(
            status.failure?.hasSuffix(
                deed == "deleted" ? "it was moved or deleted" : "another program has changed it")
                == true)
        if deed == "deleted" {
            #expect(try folder.names.isEmpty)
        } else {
            #expect(try folder.text(of: "list.json") == "mine\n")
        }
    }

    @Test("what fails is tried again, with what came meanwhile")
    func recovery() async throws {
        let store = try await open()
        rename(folder.file("list.json"), folder.file("away.json"))
        store.send(.add("Milk"))
        await store.persistence?.flush()
        // A timer may have begun to try again already, so not the phase.
        #expect(store.persistence?.status.failure != nil)
        rename(folder.file("away.json"), folder.file("list.json"))
        store.send(.add("Bread"))
        await store.persistence?.flush()
        #expect(store.persistence?.status.phase == .saved)
        #expect(try folder.text(of: "list.json").contains("Milk"))
        #expect(try folder.text(of: "list.json").contains("Bread"))
    }
}

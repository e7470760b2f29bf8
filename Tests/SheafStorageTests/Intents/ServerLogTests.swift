import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Which logs a list on a server takes in: the same URL leads to other lists in other environments.
@Suite("The logs of lists on servers")
@MainActor
struct ServerLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private nonisolated static func home(
        _ number: Int = 1, as role: String = "anna", in database: String = "1 of 2"
    ) -> ServerList.Identity {
        ServerList.Identity(id: Fixtures.itemID(number), role: role, database: database)
    }

    private nonisolated static let home = home()

    /// A list that a URL leads to in an environment, `identity` once the server has been asked.
    private func list(
        _ url: String = "home", in settings: String = "anna", _ identity: ServerList.Identity? = nil
    ) -> any Location {
        let list = ServerList(
            url: url, destination: "\(url) in \(settings)", address: settings,
            environment: ["XDG_STATE_HOME": folder.path])
        if let identity { list.found(identity) }
        return FakeServer(in: folder.path, environment: [:])
            .location("postgresql://h/lists?list=\(url)", of: url, on: list)
    }

    private func leave(_ location: any Location) throws {
        let log = try #require(IntentLogFile(for: location))
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        log.close()
    }

    private func seen(_ location: any Location) -> (taken: Int, reported: [String]) {
        let left = AbandonedLogs(for: location)
        return (left.count, left.content.unreadable.map(\.reason))
    }

    @Test("the id of the list and the role decide, by whatever URL")
    func identity() throws {
        try leave(list("home", in: "anna", Self.home))
        for url in ["home", "other spelling"] {
            for settings in ["anna", "another host"] {
                #expect(seen(list(url, in: settings, Self.home)) == (1, []))
            }
        }
    }

    @Test(
        "the log of another list or role that the same URL leads to stays, and is reported",
        arguments: [
            (home(as: "anna"), home(as: "ben")), (home(as: "anna"), home(2, as: "anna")),
            // Two roles on a server, and equal as texts of Swift.
            (home(as: "ann\u{E9}"), home(as: "anne\u{301}")),
        ])
    func other(own: ServerList.Identity, identity: ServerList.Identity) throws {
        try leave(list("home", in: "anna", own))
        for settings in ["anna", "ben"] {
            let (taken, reported) = seen(list("home", in: settings, identity))
            #expect(taken == 0)
            #expect(reported.count == 1)
            #expect(reported[0].contains("as \(own.role)"), "\(reported)")
        }
        // By another URL it is of no interest.
        #expect(seen(list("other", in: "other", identity)) == (0, []))
        #expect(seen(list("home", in: "anna", own)).taken == 1)
    }

    @Test("the log of another database stays, though a copy of it has the list and the role, too")
    func copied() throws {
        try leave(list("home", in: "anna", Self.home(in: "1 of 2")))
        for other in ["3 of 2", "1 of 3"] {
            let (taken, reported) = seen(list("home", in: "copy", Self.home(in: other)))
            #expect(taken == 0)
            #expect(reported.count == 1)
            #expect(reported.first?.contains("another database") == true, "\(reported)")
            let log = try #require(
                ExaminedLog.all(for: list("home", in: "copy", Self.home(in: other))).first)
            #expect(log.objection?.advice?.contains("sheaf restore \(log.path)") == true)
        }
        #expect(seen(list("home", in: "anna", Self.home(in: "1 of 2"))) == (1, []))
    }

    @Test("the log of a session that goes on in a restored database is of that one")
    func movedDatabase() throws {
        let location = list("home", in: "anna", Self.home(in: "1 of 2"))
        let log = try #require(IntentLogFile(for: location))
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        location.server?.found(Self.home(in: "3 of 2"))
        try log.handOver()
        log.close()
        #expect(seen(list("home", in: "anna", Self.home(in: "1 of 2"))).taken == 0)
        #expect(seen(list("home", in: "anna", Self.home(in: "3 of 2"))) == (1, []))
    }

    @Test("a list that was reached once is known before the server is reached again")
    func offline() throws {
        #expect(list("home", in: "anna").server?.identity == nil)
        _ = list("home", in: "anna", Self.home)
        try leave(list("home", in: "anna"))
        #expect(seen(list("home", in: "anna")) == (1, []))
        #expect(seen(list("other", in: "other", Self.home)) == (1, []))
        let other = Self.home(2)
        let (taken, reported) = seen(list("home", in: "anna", other))
        #expect(taken == 0)
        #expect(reported.count == 1)
    }

    @Test("a log of a list that was never reached stays, and is reported")
    func unknown() throws {
        try leave(list("home", in: "anna"))
        let (taken, reported) = seen(list("home", in: "anna", Self.home))
        #expect(taken == 0)
        #expect(reported.first?.contains("do not tell the id") == true, "\(reported)")
    }

    @Test("a log names its list with the first change, or commit, after the server is reached")
    func identified() throws {
        let other = Self.home(2)
        for change in [true, false] {
            let location = list("home", in: "anna")
            let log = try #require(IntentLogFile(for: location))
            try log.append(StorageChanges(items: [Fixtures.item(1)]))
            location.server?.found(Self.home)
            if change {
                try log.append(StorageChanges(items: [Fixtures.item(2)]))
            } else {
                try log.handOver()
            }
            log.close()
            #expect(seen(list("home", in: "anna", other)).taken == 0)
            #expect(seen(list("home", in: "anna", Self.home)).taken == (change ? 2 : 1))
            AbandonedLogs(for: list("home", in: "anna", Self.home)).remove()
            try FileManager.default.removeItem(atPath: folder.file("sheaf/lists"))
        }
    }

    @Test("once its first changes are committed, any URL of the list finds its log")
    func renamed() throws {
        let location = list("home", in: "anna")
        let log = try #require(IntentLogFile(for: location))
        try log.append(StorageChanges(items: [Fixtures.item(1)]))
        location.server?.found(Self.home)
        try log.handOver()
        try log.committed()
        try log.append(StorageChanges(items: [Fixtures.item(2)]))
        log.close()
        #expect(seen(list("other", in: "other", Self.home)) == (1, []))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("sheaf"))
                .filter { $0.hasPrefix("intents-") }.count == 1)
    }

    @Test("the doctor tells of which list and role such a log is")
    func examined() throws {
        try leave(list("home", in: "anna", Self.home))
        let ben = Self.home(as: "ben")
        let logs = ExaminedLog.all(for: list("home", in: "ben", ben))
        #expect(logs.count == 1)
        #expect(logs[0].objection?.advice?.contains("as anna, with list=") == true)
        #expect(ExaminedLog.all(for: list("home", in: "anna", Self.home))[0].objection == nil)
    }
}

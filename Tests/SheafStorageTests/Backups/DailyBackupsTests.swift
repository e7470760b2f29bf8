import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Backups that are made by themselves.
@Suite("Backups of the day")
struct DailyBackupsTests {
    private let lists: ListFolder
    private let daily: DailyBackups
    private let url: StoreURL

    init() throws {
        lists = try ListFolder()
        url = lists.url(.sqlite)
        daily = try #require(DailyBackups(of: FileLocation(url, environment: lists.environment)))
    }

    /// Noon of a day, so that it is the same day in most time zones.
    private static func day(_ number: Int) -> Date {
        Date(timeIntervalSince1970: 1_768_478_400 + Double(number) * 86_400)
    }

    /// Sets the time of the list's last change, and of nothing else.
    private func touch(_ path: String, _ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func change(on day: Int) async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(day + 10)]), to: url)
        try touch(url.path, Self.day(day))
    }

    @Test("one is made on a day, and none while the list has not changed since")
    func due() async throws {
        try await lists.make(url)
        try touch(url.path, Self.day(0))
        #expect(try daily.makeIfDue(now: Self.day(1)))
        #expect(try !daily.makeIfDue(now: Self.day(1)))
        let first = try #require(daily.paths().first)
        try touch(first, Self.day(1))
        #expect(try !daily.makeIfDue(now: Self.day(2)))
        try await change(on: 2)
        #expect(try daily.makeIfDue(now: Self.day(3)))
        #expect(daily.paths().count == 2)
        #expect(try Restore.count(daily.paths()[0], .sqlite) == 3)
        #expect(try Restore.count(daily.paths()[1], .sqlite) == 4)
    }

    /// A list of that many items, each with a note of a megabyte.
    private func makeLarge(_ count: Int = 9) async throws {
        let items = (0..<count).map { number in
            var item = Fixtures.item(number)
            item.note = String(repeating: "x", count: 1 << 20)
            return item
        }
        try await lists.commit(StorageChanges(items: items), to: url)
    }

    @Test("a long one is made by a process of its own, and once")
    func long() async throws {
        try await lists.make(url)
        #expect(!daily.needsSeparateProcess(now: Self.day(1)))
        try await makeLarge()
        #expect(daily.needsSeparateProcess(now: Self.day(1)))
        daily.makeInSeparateProcess(now: Self.day(1))
        #expect(!daily.needsSeparateProcess(now: Self.day(1)))
        daily.makeInSeparateProcess(now: Self.day(1))
        #expect(daily.paths().count == 1)
        #expect(try Restore.count(daily.paths()[0], .sqlite) == 9)
    }

    @Test("one that such a process could not make is made by the next command, or reported")
    func longFailure() async throws {
        try await makeLarge()
        try FileManager.default.removeItem(atPath: url.path)
        try lists.folder.write(Array("no list".utf8), to: "list.sqlite")
        daily.makeInSeparateProcess(now: Self.day(1))
        try FileManager.default.removeItem(atPath: url.path)
        try await makeLarge()
        #expect(!daily.needsSeparateProcess(now: Self.day(1)))
        #expect(daily.makeOrReport(now: Self.day(1)) == nil)
        #expect(daily.needsSeparateProcess(now: Self.day(2)))
        #expect(daily.paths().count == 1)
    }

    @Test("other processes commit while it is made, and it holds one moment of the list")
    func commitsMeanwhile() async throws {
        try await makeLarge(40)
        let backup = Task.detached { [daily] in try daily.makeIfDue(isYielding: true) }
        var slowest = Duration.zero
        for number in 100..<110 {
            let start = ContinuousClock.now
            try await lists.commit(StorageChanges(items: [Fixtures.item(number)]), to: url)
            slowest = max(slowest, .now - start)
        }
        #expect(try await backup.value)
        #expect(slowest < SQLiteCopy.busyTimeout)
        #expect(try (40...50).contains(Restore.count(daily.paths()[0], .sqlite)))
    }

    @Test(
        "one is made if the list has other commits than the newest, whatever the time of its file",
        arguments: StoreURL.Backend.allCases)
    func oldFileTime(_ backend: StoreURL.Backend) async throws {
        let url = StoreURL(backend, path: lists.folder.file("old.\(backend)"))
        try await lists.make(url)
        let daily = try #require(
            DailyBackups(of: FileLocation(url, environment: lists.environment)))
        #expect(try daily.makeIfDue(now: Self.day(10)))
        // As `cp -p` and a wrong clock do it.
        try await lists.commit(StorageChanges(items: [Fixtures.item(50)]), to: url)
        try touch(url.path, Self.day(5))
        #expect(try daily.makeIfDue(now: Self.day(11)))
        #expect(try Restore.count(daily.paths()[1], backend) == 4)
        #expect(try !daily.makeIfDue(now: Self.day(12)))
    }

    @Test("that none can be made is said with the first change of a day")
    func obstacleIsSaid() async throws {
        try await lists.make(url)
        try lists.folder.write([1], to: "home")
        try touch(url.path, Self.day(1))
        #expect(daily.makeOrReport(now: Self.day(2))?.contains("sheaf doctor") == true)
        #expect(daily.makeOrReport(now: Self.day(1)) == nil)
    }

    @Test("they are for the user alone, in folders for the user alone, whatever the umask")
    func modes() async throws {
        try await lists.make(url)
        #expect(try daily.makeIfDue())
        var path = daily.paths()[0]
        #expect(try lists.mode(of: path) == 0o600)
        while path != lists.folder.file("home") {
            path = (path as NSString).deletingLastPathComponent
            #expect(try lists.mode(of: path) == 0o700)
        }
    }

    @Test("seven are kept, and what a crash left among them goes")
    func bounded() async throws {
        try await lists.make(url)
        for day in 0..<10 {
            try await change(on: day)
            #expect(try daily.makeIfDue(now: Self.day(day)))
            for path in daily.paths().suffix(1) { try touch(path, Self.day(day - 1)) }
            try Data([1]).write(
                to: URL(
                    fileURLWithPath: daily.folder + "/.x.new-" + String(repeating: "1", count: 32)))
        }
        let kept = daily.paths().map { ($0 as NSString).lastPathComponent }
        #expect(kept == (18...24).map { "2026-01-\($0).sqlite" })
        try await change(on: 11)
        try daily.makeIfDue(now: Self.day(11))
        let names = try FileManager.default.contentsOfDirectory(atPath: daily.folder)
        #expect(names.count == 7)
    }

    @Test("backups dated after today by a wrong clock stop no later ones and are reported")
    func wrongClock() async throws {
        try await lists.make(url)
        for day in 3000..<3007 {
            try await change(on: day)
            #expect(try daily.makeIfDue(now: Self.day(day)))
            for path in daily.paths().suffix(1) { try touch(path, Self.day(0)) }
        }
        let future = daily.paths()
        #expect(daily.futurePaths(now: Self.day(20)) == future)
        for day in 1..<10 {
            try await change(on: day)
            #expect(try daily.makeIfDue(now: Self.day(day)))
            for path in daily.paths().filter({ !future.contains($0) }).suffix(1) {
                try touch(path, Self.day(day - 1))
            }
        }
        let names = daily.paths().map { ($0 as NSString).lastPathComponent }
        #expect(names.prefix(7) == (18...24).map { "2026-01-\($0).sqlite" }[...])
        #expect(Array(daily.paths().dropFirst(7)) == future)
        let findings = Doctor.examine(url, environment: lists.environment).findings
        #expect(findings.contains { $0.text.contains("backups dated after today: 7") })
        let counted = daily.paths()[6]
        #expect(findings.contains { $0.text == "backups: 7, the newest \(counted)" })
    }

    @Test("a list without items is no reason for one")
    func empty() async throws {
        try await lists.commit(StorageChanges(), to: url)
        #expect(try !daily.makeIfDue())
        #expect(daily.paths().isEmpty)
    }

    @Test("other files in the folder are left alone")
    func others() async throws {
        try await lists.make(url)
        try daily.makeIfDue()
        try Data([1]).write(to: URL(fileURLWithPath: daily.folder + "/mine.sqlite"))
        try await change(on: 1)
        try daily.makeIfDue(now: Self.day(40))
        #expect(FileManager.default.fileExists(atPath: daily.folder + "/mine.sqlite"))
    }

    @Test("a folder that cannot be made is an obstacle that is named")
    func noFolder() async throws {
        try await lists.make(url)
        #expect(daily.obstacle() == nil)
        try lists.folder.write([1], to: "home")
        #expect(await storageError { try daily.makeIfDue() } != nil)
        #expect(daily.obstacle()?.contains("home is not a folder") == true)
    }

    @Test(
        "something unusable under the name of the day stays, is reported and stops no backup",
        .timeLimit(.minutes(1)),
        arguments: StoreURL.Backend.allCases,
        ["empty", "text", "folder", "link", "dangling link", "FIFO"])
    func unusable(_ backend: StoreURL.Backend, _ kind: String) async throws {
        let url = lists.url(backend)
        let daily = try #require(
            DailyBackups(of: FileLocation(url, environment: lists.environment)))
        try await lists.make(url)
        #expect(try daily.makeIfDue())
        let path = try #require(daily.paths().first)
        try FileManager.default.removeItem(atPath: path)
        try lists.folder.write([7], to: "victim")
        switch kind {
        case "empty": try Data().write(to: URL(fileURLWithPath: path))
        case "text": try Data("Dear diary,".utf8).write(to: URL(fileURLWithPath: path))
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        case "FIFO": #expect(mkfifo(path, 0o600) == 0)
        default:
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: lists.folder.file(kind == "link" ? "victim" : "nothing"))
        }
        var before = stat()
        #expect(lstat(path, &before) == 0)
        #expect(try daily.makeIfDue())
        #expect(try !daily.makeIfDue())
        var after = stat()
        #expect(lstat(path, &after) == 0 && after.st_ino == before.st_ino)
        #expect(try lists.folder.bytes(of: "victim") == Data([7]))
        #expect(try !lists.folder.names.contains("nothing"))
        let other = try #require(daily.paths().first { $0 != path })
        #expect(try Restore.count(other, backend) == 3)
        let findings = Doctor.examine(url, environment: lists.environment).findings
        let warning = findings.first { $0.text.contains(path) }
        #expect(warning?.severity == .warning && warning?.advice != nil, "\(findings)")
        #expect(findings.contains { $0.text.hasPrefix("backups: 1, the newest \(other)") })
    }

    @Test("a backup with a damaged page is named, and not called the newest")
    func damagedPage() async throws {
        let url = lists.url(.sqlite)
        let daily = try #require(
            DailyBackups(of: FileLocation(url, environment: lists.environment)))
        try await lists.make(url, 300)
        #expect(try daily.makeIfDue())
        let path = try #require(daily.paths().first)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size - 4_096 * 2)
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()
        let findings = Doctor.examine(url, environment: lists.environment).findings
        #expect(findings.contains { $0.text.hasPrefix("unusable backup: \(path)") }, "\(findings)")
        #expect(findings.contains { $0.text == "backups: none for this path" })
    }

    @Test("unusable files neither count among the seven nor are removed")
    func unusableRotation() async throws {
        try await lists.make(url)
        try touch(url.path, Self.day(0))
        #expect(try daily.makeIfDue(now: Self.day(10)))
        let names = (11...17).map { "2026-02-\($0).sqlite" }
        for name in names {
            try Data("Dear diary,".utf8).write(
                to: URL(fileURLWithPath: "\(daily.folder)/\(name)"))
        }
        for day in 40..<49 {
            try await change(on: day)
            #expect(try daily.makeIfDue(now: Self.day(day)))
        }
        let kept = daily.paths().map { ($0 as NSString).lastPathComponent }
        #expect(kept.prefix(7) == names[...])
        #expect(kept.count == 14)
    }

    @Test("the day in its name decides how old a backup is, not the time of its file")
    func copiedBackups() async throws {
        try await lists.make(url)
        try touch(url.path, Self.day(0))
        #expect(try daily.makeIfDue(now: Self.day(1)))
        try await change(on: 1)
        for (day, time) in [(2, 2), (3, 90)] {
            for path in daily.paths() { try touch(path, Self.day(time)) }
            #expect(try daily.makeIfDue(now: Self.day(day)))
            #expect(try !daily.makeIfDue(now: Self.day(day)))
            try await change(on: day)
        }
        #expect(daily.paths().count == 3)
    }

    @Test(
        "a list makes its own backups where another list was before, whose backups stay",
        arguments: StoreURL.Backend.allCases)
    func otherList(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        let daily = try #require(
            DailyBackups(of: FileLocation(url, environment: lists.environment)))
        try await lists.make(url)
        for day in 0..<8 {
            try touch(url.path, Self.day(day))
            #expect(try daily.makeIfDue(now: Self.day(day)))
        }
        let former = daily.paths()
        #expect(former.count == 7)
        try FileManager.default.removeItem(atPath: url.path)
        let changes = StorageChanges(items: [Fixtures.item(90), Fixtures.item(91)])
        try await lists.commit(changes, to: url)
        for day in 7..<15 {
            try touch(url.path, Self.day(day))
            #expect(try daily.makeIfDue(now: Self.day(day)), "\(day)")
            #expect(try !daily.makeIfDue(now: Self.day(day)))
        }
        let own = daily.paths().filter { !former.contains($0) }
        #expect(daily.paths().count == 14)
        #expect(own.count == 7)
        for path in own { #expect(try Restore.count(path, backend) == 2) }
        let findings = Doctor.examine(url, environment: lists.environment).findings
        #expect(
            findings.contains {
                $0.text.hasPrefix("backups of another list: 7") && $0.advice != nil
            },
            "\(findings)")
        #expect(findings.contains { $0.text.hasPrefix("backups: 7, the newest") })
    }

    @Test(
        "a state folder that leads nowhere is an obstacle that is named with a way out",
        arguments: [".local", ".local/state/sheaf/backups"])
    func danglingFolder(_ link: String) async throws {
        try await lists.make(url)
        let path = lists.folder.file("home/\(link)")
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: lists.folder.file("nothing"))
        #expect(await storageError { try daily.makeIfDue() } != nil)
        let findings = Doctor.examine(url, environment: lists.environment).findings
        let warning = findings.first { $0.text == "daily backups cannot be made" }
        #expect(warning?.severity == .warning)
        #expect(warning?.advice?.contains("\(path) is a broken link") == true)
        #expect(!findings.contains { $0.text.contains("backups: none") })
    }

    @Test("a disk with little left is not filled by one", .enabled(if: TinyDisk.isPossible))
    func full() async throws {
        try await lists.make(url, 1000)
        let disk = lists.folder.file("disk")
        try await TinyDisk.during(disk) {
            let daily = try #require(
                DailyBackups(of: FileLocation(url, environment: ["HOME": disk])))
            try TinyDisk.fill(disk + "/filler", spare: 200_000)
            #expect(await storageError { try daily.makeIfDue() }?.code == .full)
            #expect(daily.obstacle() != nil)
        }
    }
}

import Foundation
import Glibc
import SheafTestSupport
import Testing

@testable import SwiduxFiles

/// Drafts of files, and those that killed processes leave.
@Suite("File drafts")
struct FileDraftTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] { FolderContents.names(in: folder.path).sorted() }

    @Test(
        "a draft of a living owner stays, and one of an owner that has ended goes",
        arguments: [
            false, true,
        ])
    func abandoned(isEnclosed: Bool) throws {
        let target = folder.file("list.sqlite")
        let draft = try FileDraft(for: target, isEnclosed: isEnclosed)
        // A kill leaves the same without the lock.
        let dead = String(repeating: "dead", count: 8)
        let left = folder.file(".list.sqlite.new-\(dead)")
        if isEnclosed {
            try #require(mkdir(left, 0o700) == 0)
            try Data([1]).write(to: URL(fileURLWithPath: left + "/list.sqlite"))
            // A list that is made within the draft of a copy.
            let inner = left + "/.list.sqlite.new-\(dead)"
            try #require(mkdir(inner, 0o700) == 0)
            try Data([1]).write(to: URL(fileURLWithPath: inner + "/list.sqlite"))
        } else {
            try Data([1]).write(to: URL(fileURLWithPath: left))
            try #require(chmod(left, 0o600) == 0)
        }
        // A draft of another file, and files that only look alike.
        let other = ".other.sqlite.new-\(dead)"
        for name in [
            other, "list.sqlite.new-\(dead)", ".list.sqlite.new",
            ".list.sqlite.new-ideas", ".list.sqlite.new-", ".list.sqlite.new-x\(dead)",
        ] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let before = names
        FileDraft.removeAbandoned(in: target.parentPath)
        #expect(names == before.filter { ![other, ".list.sqlite.new-\(dead)"].contains($0) })
        #expect(access(draft.path, F_OK) == 0)
    }

    @Test(
        "a draft replaces the version that was read, and no other file that has its name by then",
        arguments: ["same", "renamed", "overwritten", "removed"])
    func replacing(_ change: String) throws {
        let (target, other) = (folder.file("list.json"), folder.file("other"))
        try Data([1]).write(to: URL(fileURLWithPath: target))
        try Data([2, 2]).write(to: URL(fileURLWithPath: other))
        let version = try FileVersion(at: target)
        var draft: FileDraft? = try FileDraft(for: target, mark: "saving")
        try draft?.open().write([3, 3, 3])
        switch change {
        case "renamed": #expect(rename(other, target) == 0)
        case "overwritten":
            try OpenFile(target, O_WRONLY | O_TRUNC).write([2, 2])
        case "removed": #expect(unlink(target) == 0)
        default: break
        }
        #expect(try draft?.replace(version) == (change == "same"))
        draft = nil
        let bytes = FileManager.default.contents(atPath: target).map(Array.init)
        #expect(bytes == (change == "same" ? [3, 3, 3] : change == "removed" ? nil : [2, 2]))
        #expect(!names.contains { $0.hasPrefix(".") })
    }

    @Test("a file that another program delivers is not lost to a draft")
    func replacingWhileFilesArrive() async throws {
        let (target, path) = (folder.file("list.json"), folder.file("delivery"))
        try Data([0]).write(to: URL(fileURLWithPath: target))
        let deliveries = Task.detached {
            for number in 1...UInt8(200) {
                try Data([number]).write(to: URL(fileURLWithPath: path))
                #expect(rename(path, target) == 0)
            }
        }
        repeat {
            let file = try OpenFile(target, O_RDONLY)
            let version = FileVersion(try file.status())
            let bytes = try WholeFile.read(file)
            let draft = try FileDraft(for: target, mark: "saving")
            try draft.open().write(bytes)
            _ = try draft.replace(version)
            if bytes == [200] { break }
        } while true
        try await deliveries.value
        #expect(try WholeFile.read(OpenFile(target, O_RDONLY)) == [200])
        #expect(names == ["list.json"])
    }

    @Test("a link or a FIFO of a draft's name is left alone")
    func planted() throws {
        let target = folder.file("list.sqlite")
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("precious")))
        try #require(
            symlink(
                "precious", folder.file(".list.sqlite.new-" + String(repeating: "a", count: 32)))
                == 0)
        try #require(
            mkfifo(folder.file(".list.sqlite.new-" + String(repeating: "b", count: 32)), 0o600) == 0
        )
        let before = names
        FileDraft.removeAbandoned(in: target.parentPath)
        #expect(names == before)
    }

    @Test("drafts that are made while abandoned ones are removed all stay")
    func racing() async throws {
        let target = folder.file("list.sqlite")
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var lost = 0
                    for _ in 0..<40 {
                        FileDraft.removeAbandoned(in: target.parentPath)
                        do {
                            let draft = try FileDraft(for: target, isEnclosed: true)
                            FileDraft.removeAbandoned(in: target.parentPath)
                            if access(draft.path, F_OK) != 0 { lost += 1 }
                        } catch {
                            lost += 1
                        }
                    }
                    return lost
                }
            }
            for await lost in group { #expect(lost == 0) }
        }
        #expect(names.isEmpty)
    }
}

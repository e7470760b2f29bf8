import Glibc
import SheafTestSupport
import SwiduxFiles
import Testing

@Suite("Open files")
struct OpenFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([1], to: "list")
    }

    private func openList() throws -> OpenFile {
        try OpenFile(folder.file("list"), O_RDONLY)
    }

    @Test("a file is locked once, until it is closed")
    func lock() throws {
        var first: OpenFile? = try openList()
        #expect(try first?.lock() == true)
        let second = try openList()
        #expect(try !second.lock())
        first = nil
        #expect(try second.lock())
    }

    @Test("a lock ends with its file, though a child that is being started has a copy of it")
    func lockAndCopy() throws {
        var file: OpenFile? = try openList()
        #expect(try file?.lock() == true)
        // As in a child between fork and exec, where O_CLOEXEC has not closed it yet.
        let copy = dup(try #require(file).number)
        defer { close(copy) }
        file = nil
        #expect(try openList().lock())
    }

    /// acl(5): `user::rw-, user:12345:rw-, group::---, mask::rw-, other::---`.
    private static let accessList: [UInt8] =
        [2, 0, 0, 0]
        + [(1, 6, -1), (2, 6, 12345), (4, 0, -1), (16, 6, -1), (32, 0, -1)].flatMap {
            (tag: UInt8, rights: UInt8, id: Int32) in
            [tag, 0, rights, 0] + withUnsafeBytes(of: id) { Array($0) }
        }

    @Test("an access control list stays on a file that is replaced")
    func accessList() throws {
        let name = "system.posix_acl_access"
        typealias Set =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
            ) -> Int32
        typealias Get =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
            ) -> Int
        let (set, get) = (
            unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: Set.self),
            unsafeBitCast(try #require(dlsym(nil, "getxattr")), to: Get.self)
        )
        let path = folder.file("list")
        // Not every file system has such lists.
        guard set(path, name, Self.accessList, Self.accessList.count, 0) == 0 else { return }
        var old = stat()
        #expect(stat(path, &old) == 0)
        let replaced = try WholeFile.replace(
            path, FileVersion(old), with: [2], keeping: old, mark: "saving")
        #expect(replaced != nil)
        var kept = [UInt8](repeating: 0, count: 100)
        let count = get(path, name, &kept, kept.count)
        #expect(Array(kept.prefix(max(count, 0))) == Self.accessList)
    }

    @Test("a file that was not locked leaves the lock of a copy alone")
    func lockOfCopy() throws {
        let file = try openList()
        #expect(try file.lock())
        var copy: OpenFile? = OpenFile(dup(file.number))
        #expect(copy != nil)
        copy = nil
        #expect(try !openList().lock())
    }
}

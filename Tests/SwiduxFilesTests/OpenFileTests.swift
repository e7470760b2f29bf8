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

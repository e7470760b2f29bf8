import Foundation
import SheafTestSupport
import Testing

@testable import SwiduxFiles

/// Each way to give a file a name that nothing has, as on a file system that has only that one.
@Suite("Names that nothing has yet")
struct ExclusiveRenameTests {
    enum Way: CaseIterable {
        case link, rename, placeholder, any

        func give(_ name: String, to path: String) throws -> Bool? {
            switch self {
            case .link: try ExclusiveRename.link(path, name)
            case .rename: try ExclusiveRename.rename(path, name)
            case .placeholder: try ExclusiveRename.replacePlaceholder(path, name)
            case .any: try ExclusiveRename.give(name, to: path)
            }
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([1], to: "old")
    }

    @Test("a name that is free is given", arguments: Way.allCases)
    func free(_ way: Way) throws {
        #expect(try way.give(folder.file("new"), to: folder.file("old")) == true)
        #expect(try folder.bytes(of: "new") == Data([1]))
        let keepsName = way == .link || way == .any
        #expect(try folder.names == (keepsName ? ["new", "old"] : ["new"]))
    }

    @Test("one that a file or a dangling link has is left alone", arguments: Way.allCases)
    func taken(_ way: Way) throws {
        try folder.write([2], to: "file")
        #expect(symlink("nowhere", folder.file("link")) == 0)
        for name in ["file", "link"] {
            #expect(try way.give(folder.file(name), to: folder.file("old")) == false)
        }
        #expect(try folder.bytes(of: "file") == Data([2]))
        #expect(try folder.names == ["file", "link", "old"])
    }

    @Test("a failure leaves nothing at the name", arguments: Way.allCases)
    func failure(_ way: Way) throws {
        #expect(throws: SystemError(number: ENOENT)) {
            try way.give(folder.file("new"), to: folder.file("none"))
        }
        #expect(try folder.names == ["old"])
    }
}

import Foundation
import Testing

@testable import SheafStorage

/// The files that are remembered beside the lists.
@Suite("State folder")
struct StateFolderTests {
    private let lists: ListFolder
    private let state: StateFolder

    init() throws {
        lists = try ListFolder()
        state = try #require(StateFolder(environment: lists.environment))
    }

    @Test("what is written is read, for the user alone")
    func roundTrip() throws {
        #expect(state.read("views/a.json") == nil)
        try state.write([1, 2, 3], to: "views/a.json")
        try state.write([4], to: "views/a.json")
        #expect(state.read("views/a.json") == [4])
        #expect(try lists.mode(of: "\(state.path)/views/a.json") == 0o600)
        #expect(try lists.mode(of: "\(state.path)/views") == 0o700)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(state.path)/views").count == 1)
    }

    @Test(
        "links and FIFOs in its place are neither followed nor waited for", .timeLimit(.minutes(1))
    )
    func planted() throws {
        try state.write([1], to: "views/a.json")
        try lists.folder.write([7], to: "victim")
        let path = "\(state.path)/views/a.json"
        for plant in ["fifo", "link"] {
            #expect(unlink(path) == 0)
            if plant == "fifo" {
                #expect(mkfifo(path, 0o600) == 0)
                #expect(state.read("views/a.json") == nil)
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: lists.folder.file("victim"))
            }
            try state.write([2], to: "views/a.json")
            #expect(state.read("views/a.json") == [2])
        }
        #expect(try lists.folder.bytes(of: "victim") == Data([7]))
    }

    @Test("a list has one key, by whichever name it is called")
    func key() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try FileManager.default.createSymbolicLink(
            atPath: lists.folder.file("link.sqlite"), withDestinationPath: url.path)
        let link = StoreURL(.sqlite, path: lists.folder.file("link.sqlite"))
        #expect(try link.location.key == url.location.key)
    }
}

import Foundation

/// A folder that is there for one test.
final class TemporaryFolder {
    let path: String

    init() throws {
        // Resolved, because messages and links are compared by path.
        let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "swidux-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("cannot remove \(path): \(error)")
        }
    }

    /// The path of `name` in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) throws {
        // Not atomically: the file stays the same one, and is written through a link.
        let handle: FileHandle
        if !FileManager.default.fileExists(atPath: file(name)) {
            _ = FileManager.default.createFile(atPath: file(name), contents: nil)
        }
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    func data(of name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }

    func text(of name: String) throws -> String {
        String(decoding: try data(of: name), as: UTF8.self)
    }

    /// The permissions of `name`.
    func mode(of name: String) -> mode_t {
        var status = stat()
        return lstat(file(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

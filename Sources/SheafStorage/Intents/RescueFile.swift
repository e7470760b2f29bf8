import FoundationEssentials
import Glibc
import SheafCore
import SheafFormats
import Swidux

/// What an earlier version of the program could not save at its end, in a file elsewhere: `sheaf
/// restore` takes it in.
///
/// JSON, so that it can be read by people too: `{"format":"sheaf-rescue","version":1,"list":URL,…}`
/// with the members of ``ChangesText``. It lies in `$XDG_STATE_HOME/sheaf`, for the user alone.
public struct RescueFile: UnsavedFile, Sendable {
    private static let format = "sheaf-rescue"
    /// All changes of the largest list are less.
    private static let limit = 1 << 30

    /// Where it lies.
    public let path: String
    /// The list that it is of; nil if an older version wrote it, which did not say.
    public let list: ListOrigin?
    /// What to commit.
    public let changes: StorageChanges

    /// The number of entities that it is about.
    public var count: Int { changes.count }

    /// What such a file holds.
    package static func text(_ changes: StorageChanges, of list: ListOrigin?) -> [UInt8] {
        var text = Array("{\"format\":\"\(format)\",\"version\":1".utf8)
        if let list {
            text += ",\"list\":".utf8
            JSONText.append(list.description, to: &text)
        }
        let members = ChangesText.members(of: changes)
        if !members.isEmpty { text.append(UInt8(ascii: ",")) }
        return text + members + Array("}\n".utf8)
    }

    /// The files there are for the list that has this home, the oldest first.
    public static func paths(for home: ListHome) -> [String] {
        guard let folder = home.state else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            return []
        }
        return names.filter { $0.hasPrefix(prefix(of: home)) && $0.hasSuffix(".json") }.sorted()
            .map { "\(folder.path)/\($0)" }
            .filter { path in
                var status = stat()
                // What another user put there is offered to nobody; what cannot be looked at is
                // named.
                return lstat(path, &status) != 0
                    || FileTrust(list: nil).objection(to: status) == nil
            }
    }

    /// What begins the names of those of the list that has this home.
    package static func prefix(of home: ListHome) -> String {
        "rescue-\(home.server?.urlKey ?? home.key)-"
    }

    /// Reads the file at `path`, or returns nil if it is no rescue file; of that no more than the
    /// beginning is read.
    ///
    /// - Throws: `StorageError` if it cannot be read, as a FIFO cannot, or is one and cannot be
    ///   understood.
    public init?(path: String) throws {
        let file = try RegularFile(path)
        let beginning = Array("{\"format\":\"\(Self.format)\"".utf8)
        guard try file.read(upTo: beginning.count) == beginning else { return nil }
        guard file.size <= Self.limit else {
            throw StorageError(
                .corrupt, at: path, reason: "too large for a rescue file (more than 1 GiB)")
        }
        let text = beginning + (try file.read(upTo: file.size - beginning.count))
        do {
            let members = try ChangesText.object(Data(text))
            guard members.contains(.init(key: "version", value: .number("1"))) else {
                throw StorageError(
                    .newer, at: path, reason: "a newer version of the program wrote this file",
                    advice: "Update the program to apply it.")
            }
            changes = try ChangesText.changes(members)
            list = Self.list(members)
        } catch let error as FormatError {
            throw StorageError(.corrupt, at: path, reason: "the file is damaged (\(error))")
        }
        self.path = path
    }

    private static func list(_ members: [JSONValue.Member]) -> ListOrigin? {
        guard case .string(let text)? = members.first(where: { $0.key == "list" })?.value
        else { return nil }
        return ListOrigin(text)
    }

    public func takeIn(to storage: any ListStorage) async throws -> UnsavedOutcome {
        let left = try await storage.commit(left: [changes])
        guard !left.lost.isEmpty else {
            let isGone = unlink(path) == 0 || errno == ENOENT
            return UnsavedOutcome(
                refused: [], obstacle: isGone ? nil : FileFailure.words(for: errno),
                sentences: left.sentences)
        }
        var outcome = UnsavedOutcome(refused: left.lost, sentences: left.sentences)
        do {
            try keep(left.kept)
        } catch {
            outcome.obstacle = error.reason
        }
        return outcome
    }

    /// Puts a file with `changes` alone in the place of this one.
    private func keep(_ changes: StorageChanges) throws(StorageError) {
        do {
            let file = try StoreFile(resolving: path)
            let text = Self.text(changes, of: list)
            _ = try file.put(replacing: true) { try file.fill($0, with: text) }
        } catch {
            throw StorageError(error, at: path)
        }
    }
}

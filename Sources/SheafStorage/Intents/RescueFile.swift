import FoundationEssentials
import Glibc
import SheafCore
import SheafFormats
import Swidux

/// What could not be saved when the program ended, in a file elsewhere: `sheaf restore` takes it
/// in.
///
/// JSON, so that it can be read by people too: `{"format":"sheaf-rescue","version":1,"list":URL,…}`
/// with the members of ``ChangesText``. It lies in `$XDG_STATE_HOME/sheaf`, for the user alone.
public struct RescueFile: Sendable {
    private static let format = "sheaf-rescue"
    /// All changes of the largest list are less.
    private static let limit = 1 << 30

    /// Where it lies.
    public let path: String
    /// The list that it is of, by its absolute path; nil if an older version wrote it, which did
    /// not say.
    public let list: StoreURL?
    /// What to commit.
    public let changes: StorageChanges

    /// The number of items and tags that it is about.
    public var count: Int { changes.items.count + changes.tags.count }

    /// Writes `changes` of the list at `place`, and returns the path of the file once that is
    /// durable. Its name has the `moment`, or one right after it.
    ///
    /// - Throws: `StorageError`, also where there is no home to keep it in.
    public static func write(
        _ changes: StorageChanges, of place: FilePlace, at moment: Timestamp = .now
    ) throws -> String {
        guard let folder = place.state else {
            throw StorageError(
                .cannotOpen, at: "$XDG_STATE_HOME", reason: "there is no home folder")
        }
        let text = text(changes, of: place.resolved)
        var moment = moment
        while try !folder.add(text, as: name(of: place, at: moment)) {
            moment = moment.next
        }
        return "\(folder.path)/\(name(of: place, at: moment))"
    }

    private static func text(_ changes: StorageChanges, of list: StoreURL?) -> [UInt8] {
        var text = Array("{\"format\":\"\(format)\",\"version\":1".utf8)
        if let list {
            text += ",\"list\":".utf8
            JSONText.append(list.description, to: &text)
        }
        let members = ChangesText.members(of: changes)
        if !members.isEmpty { text.append(UInt8(ascii: ",")) }
        return text + members + Array("}\n".utf8)
    }

    /// Takes away what this process wrote at `moment`, if it did.
    public static func remove(of place: FilePlace, at moment: Timestamp) {
        guard let folder = place.state else { return }
        unlink("\(folder.path)/\(name(of: place, at: moment))")
    }

    private static func name(of place: FilePlace, at moment: Timestamp) -> String {
        "\(prefix(of: place))\(moment.milliseconds)-\(getpid()).json"
    }

    /// The files there are for the list at `place`, the oldest first.
    public static func paths(for place: FilePlace) -> [String] {
        guard let folder = place.state else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            return []
        }
        return names.filter { $0.hasPrefix(prefix(of: place)) && $0.hasSuffix(".json") }.sorted()
            .map { "\(folder.path)/\($0)" }
            .filter { path in
                var status = stat()
                // What another user put there is offered to nobody; what cannot be looked at is
                // named.
                return lstat(path, &status) != 0
                    || FileTrust(list: nil).objection(to: status) == nil
            }
    }

    private static func prefix(of place: FilePlace) -> String {
        "rescue-\(place.key)-"
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

    private static func list(_ members: [JSONValue.Member]) -> StoreURL? {
        guard case .string(let text)? = members.first(where: { $0.key == "list" })?.value,
            StoreURL.Backend.allCases.contains(where: { text.hasPrefix("\($0.rawValue):/") })
        else { return nil }
        do { return try StoreURL(text) } catch { return nil }
    }

    /// What became of a rescue file.
    public struct Outcome: Sendable {
        /// What the list did not take; the file is still there and holds it. All else is in the
        /// list.
        public var refused: [RefusedRow]
        /// Why the file still holds what the list took, or nil if it does not.
        public var obstacle: String?
    }

    /// Commits the changes to `storage`, merged with what it has now, and takes the file away, or
    /// leaves in it what was refused alone: the rest, taken in once more, would undo later edits.
    ///
    /// - Throws: `StorageError`; then the file stays as it is, and nothing is committed unless the
    ///   tags could not be read after that.
    public func takeIn(to storage: any ListStorage) async throws -> Outcome {
        let result = try await storage.commit(leftBehind: changes)
        let stored = result.refused.isEmpty ? [] : try await storage.loadTags()
        let refusals = Refusals(result.refused, of: changes, stored: stored)
        guard !refusals.lost.isEmpty else {
            let isGone = unlink(path) == 0 || errno == ENOENT
            return Outcome(refused: [], obstacle: isGone ? nil : FileFailure.words(for: errno))
        }
        var left = LeftBehind()
        left.committed(changes, result, refusals)
        let kept = left.next(changes.kept(refusals.lost, stored))
        var outcome = Outcome(refused: refusals.lost)
        do {
            try keep(kept)
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
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.io, at: path, reason: "\(error)")
        }
    }
}

extension StorageChanges {
    /// What is still to be done of the changes once all but the refused `rows` is in a list with
    /// the tags `stored`: its rows, and for items that went in without a new tag, that tag alone.
    fileprivate func kept(_ rows: [RefusedRow], _ stored: [Tag]) -> StorageChanges {
        let refused = Set(rows.compactMap(\.id))
        var kept = StorageChanges()
        kept.tags = tags.only(refused)
        kept.items = items.only(refused)
        let missing = Set(kept.tags.upserts.map(\.id)).subtracting(stored.map(\.id))
        for item in items.upserts
        where !refused.contains(item.id) && !item.tags.isDisjoint(with: missing) {
            kept.items.upserts.append(item)
            var base = item
            base.tags.subtract(missing)
            kept.items.bases[item.id] = base
        }
        return kept
    }
}

extension EntityChanges where Entity.ID == UUID {
    fileprivate func only(_ ids: Set<UUID>) -> EntityChanges {
        var some = EntityChanges()
        some.upserts = upserts.filter { ids.contains($0.id) }
        some.deletions = deletions.filter(ids.contains)
        some.bases = bases.filter { ids.contains($0.key) }
        return some
    }
}

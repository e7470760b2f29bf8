import FoundationEssentials
import SheafList
import SheafStorage

/// The commits of this process.
///
/// A commit of items alone goes to the server as it is, which refuses it if another client has
/// written one of the rows, or any tag; any other, and one that was refused, is first brought
/// together with what is there. One whose answer was lost is asked for by its number before the
/// next one.
struct PostgresWriter {
    /// Tells this process from others, in the rows that it writes.
    private(set) var client = UUID.random()
    /// The client id of rows that were merged or renamed. This process fetches them like those of
    /// another client, so that it gets them even if the answer of the commit is lost.
    private var mergingClient = UUID.random()
    /// The number of the last commit that the server may have made.
    private var batch: Int64 = 0
    /// The name of the next commit.
    var nextBatch: BatchName { BatchName(clients: [client, mergingClient], number: batch + 1) }
    /// A commit of which nobody knows whether it was made: who made it, and what it was asked for.
    private var unsure: (client: UUID, batch: Int64, changes: StorageChanges)?
    /// Whether a commit was sent, and no answer came.
    var isUnsure: Bool { unsure != nil }
    /// What commits made that were thought to have failed: the next changes of these begin with it.
    private var made = StorageChanges()

    /// A commit, and what became of it.
    struct Outcome {
        var result: CommitResult
        /// Nil if there was nothing to write.
        var commit: (number: Int64, id: UUID)?
        var written = StorageChanges()
    }

    private static let mostAttempts = 20

    /// What is written from here on counts as another process's.
    mutating func beginAnew() {
        client = UUID.random()
        // Batches are counted from 1 again.
        mergingClient = UUID.random()
        batch = 0
        unsure = nil
        made = StorageChanges()
    }

    mutating func commit(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        try settle(reader)
        let changes = changes.after(made)
        guard !changes.isEmpty else {
            made = StorageChanges()
            return Outcome(result: CommitResult(isBehind: true))
        }
        let outcome = try write(changes, reader, known: known)
        made = StorageChanges()
        return outcome
    }

    private mutating func write(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        if changes.count == changes.items.count, !changes.haveNext {
            do {
                let sent = try send(Message(changes, by: client, for: changes), reader, known)
                return Outcome(
                    result: CommitResult(refused: sent.refused, isBehind: sent.isBehind),
                    commit: (sent.number, sent.id), written: changes)
            } catch let failure as PostgresFailure where failure.isConflict {
                // Merged below.
            }
        }
        for _ in 0..<Self.mostAttempts {
            do {
                return try merge(changes, reader, known: known)
            } catch let failure as PostgresFailure where failure.isConflict {
                continue
            }
        }
        throw Self.crowded
    }

    /// Commits again what the server has lost, and has had none of since commit `number`.
    ///
    /// Where an item was edited since by somebody else, the later of two edits of one field stands,
    /// and the other is in the note.
    mutating func sendAgain(
        _ lost: PostgresHistory.Lost, _ reader: PostgresReader, after number: Int64
    ) throws -> Outcome {
        for _ in 0..<Self.mostAttempts {
            let (now, written) = try reader.written(lost.yielding, after: number)
            do {
                let changes = lost.changes.without(written)
                return try merge(changes, reader, known: number, laterWinsAt: now)
            } catch let failure as PostgresFailure where failure.isConflict {
                continue
            }
        }
        throw Self.crowded
    }

    private static let crowded = PostgresFailure(
        state: PostgresFailure.waiting, "too many others write to this list at once")

    /// - Parameter laterWinsAt: a commit, if of two edits of a field the later is to stand, and
    ///   nothing is to be written if there has been another commit since.
    private mutating func merge(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64,
        laterWinsAt number: Int64? = nil
    ) throws -> Outcome {
        var changes = changes
        let items = changes.items
        let snapshot = try reader.snapshot(
            Array(items.ids), tags: changes.tags.deletions, known: known,
            client: client)
        let before = WholeList(snapshot.rows)
        if let number {
            guard snapshot.number == number else {
                throw PostgresFailure(state: "40001", "changed by another process")
            }
            changes.items = items.merged(byLaterWith: before)
        }
        var list = before
        var result = list.apply(changes, isCurrent: !snapshot.hasOthers)
        let written = list.changes(since: before)
        guard !written.isEmpty else {
            result.isBehind = snapshot.hasOthers
            return Outcome(result: result)
        }
        // The server takes a deleted tag off all items that have it by then, also off those that
        // another client has put it on since the snapshot: their rows are news here.
        let hasNews =
            snapshot.hasOthers || result.conflicts.contains(where: \.isOfName)
            || written.tags.hasDeletions
        let author = hasNews ? mergingClient : client
        let sent = try send(
            Message(written, by: author, for: changes), reader, snapshot.number)
        result.refused += sent.refused
        result.isBehind = snapshot.hasOthers || sent.isBehind
        return Outcome(result: result, commit: (sent.number, sent.id), written: written)
    }

    // MARK: To the server

    /// Rows, who writes them, and the changes that they came of.
    private struct Message {
        var rows: StorageChanges
        var author: UUID
        var changes: StorageChanges

        init(_ rows: StorageChanges, by author: UUID, for changes: StorageChanges) {
            self.rows = rows
            self.author = author
            self.changes = changes
        }
    }

    private struct Sent {
        var number: Int64
        var id: UUID
        var isBehind: Bool
        var refused: [Refusal]
    }

    private mutating func send(
        _ message: Message, _ reader: PostgresReader, _ expected: Int64
    ) throws -> Sent {
        do {
            return try send(message, reader, expected, oneByOne: false)
        } catch let failure as PostgresFailure where failure.isOfRow {
            // Which row it was is told by none but one that stands alone.
            return try send(message, reader, expected, oneByOne: true)
        }
    }

    private mutating func send(
        _ message: Message, _ reader: PostgresReader, _ expected: Int64, oneByOne: Bool
    ) throws -> Sent {
        let number = batch + 1
        unsure = (message.author, number, message.changes)
        batch = number
        do {
            let rows = try reader.connection.rows(
                """
                SELECT done_number, done_id, is_behind, refused
                FROM sheaf.commit(
                  $1::uuid, $2::integer, $3::uuid, $4::bigint, $5::bigint, $6::json, $7::boolean)
                """,
                [
                    reader.list.uuidString, "\(PostgresSchema.version)", message.author.uuidString,
                    "\(number)", "\(expected)", reader.schema.json(message.rows), "\(oneByOne)",
                ])
            unsure = nil
            guard rows.count == 1, let id = rows.uuid(0, 1) else {
                throw PostgresFailure(state: "XX000", "the server's commit function says nothing")
            }
            return Sent(
                number: rows.integer(0, 0), id: id, isBehind: rows.flag(0, 2),
                refused: Self.refusals(rows.text(0, 3)))
        } catch let failure as PostgresFailure {
            // A server that answers has committed nothing.
            if !failure.isOfConnection { unsure = nil }
            // The commit is sent again, merged or row by row, by the name that the log has for it.
            if failure.isConflict || failure.isOfRow { batch = number - 1 }
            throw failure
        }
    }

    /// Returns, and forgets, the changes that the server has made although their commits seemed to
    /// fail.
    mutating func takeMade(_ reader: PostgresReader) throws -> StorageChanges {
        try settle(reader)
        defer { made = StorageChanges() }
        return made
    }

    /// Learns what became of a commit whose answer was lost.
    private mutating func settle(_ reader: PostgresReader) throws {
        guard let unsure else { return }
        // The caller may not know of an earlier lost commit yet, either.
        if try reader.hasCommitted(unsure.batch, of: unsure.client) { made.take(unsure.changes) }
        self.unsure = nil
    }

    /// What `refused` spells: `[id, reason, id, reason, …]`.
    private static func refusals(_ text: String) -> [Refusal] {
        guard text != "[]", !text.isEmpty else { return [] }
        do {
            let words = try JSONDecoder().decode([String].self, from: Data(text.utf8))
            return stride(from: 0, to: words.count - 1, by: 2).compactMap { index in
                UUID(uuidString: words[index]).map {
                    Refusal(id: $0, reason: PostgresFailure.line(words[index + 1]))
                }
            }
        } catch {
            return []
        }
    }
}

extension PostgresSchema {
    /// What the commit function takes.
    fileprivate func json(_ changes: StorageChanges) -> String {
        var (written, gone): ([UInt8], [UInt8]) = ([], [])
        func append(_ kind: (some ListEntity).Type) {
            written +=
                "\"\(kind.plural)\":".utf8 + self[kind].json(changes[kind].upserts) + ",".utf8
            gone += "\(gone.isEmpty ? "" : ",")\"\(kind.plural)\":".utf8
            gone.append(ids: changes[kind].deletions)
        }
        for kind in Kinds.all { append(kind) }
        let json = "{".utf8 + written + "\"gone\":{".utf8 + gone + "}}".utf8
        return String(decoding: json, as: UTF8.self)
    }
}

extension EntityChanges where Entity: Equatable, Entity.ID == UUID {
    /// Returns the changes that remain after `made`, so that an entity which another process has
    /// deleted since is not inserted again.
    fileprivate func after(_ made: EntityChanges) -> EntityChanges {
        var changes = only { id in made[id].map { $0.after != self[id]?.after } ?? true }
        for (id, change) in made { changes[id]?.before = change.after }
        return changes
    }
}

extension EntityChanges<Item> {
    /// What `list` is to have instead of its items, where each edit that came later stands.
    fileprivate func merged(byLaterWith list: WholeList) -> EntityChanges {
        var result = Reconciled()
        return merged(by: .laterItems, &result) { list.items[$0] }
    }
}

extension StorageChanges {
    /// The changes that remain after `made`, which the server has stored.
    fileprivate func after(_ made: StorageChanges) -> StorageChanges {
        guard !made.isEmpty else { return self }
        var changes = StorageChanges()
        func take(_ kind: (some ListEntity).Type) { changes[kind] = self[kind].after(made[kind]) }
        for kind in Kinds.all { take(kind) }
        return changes
    }
}

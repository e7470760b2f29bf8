import FoundationEssentials
import SheafList
import SheafStorage

/// The writer of this process's commits.
///
/// A commit that contains only items is sent unmerged. The server refuses it if another client has
/// written one of the rows, or any tag. A refused commit is then merged with the present rows and
/// sent again. A commit with other entities is merged at once. If the answer to a commit was lost,
/// the writer asks the server about that commit before it sends the next one.
struct PostgresWriter {
    /// The id that distinguishes this process in the rows that it writes.
    private(set) var client = UUID.random()
    /// The client id for merged or renamed rows. This process fetches such rows like those of
    /// another client, so that it receives them even if the answer to the commit is lost.
    private var mergingClient = UUID.random()
    /// The number of the last commit that the server may have made.
    private var batch: Int64 = 0
    /// The name of the next commit.
    var nextBatch: BatchName { BatchName(clients: [client, mergingClient], number: batch + 1) }
    /// A commit with an unknown outcome: its client id, its number and its changes.
    private var unresolved: (client: UUID, batch: Int64, changes: StorageChanges)?
    /// True if a commit was sent and no answer arrived.
    var isOutcomeUnknown: Bool { unresolved != nil }
    /// The changes of commits that succeeded although they seemed to fail. The next commit is based
    /// on them.
    private var confirmed = StorageChanges()

    /// A commit and its outcome.
    struct Outcome {
        var result: CommitResult
        /// The number and the id of the commit, or `nil` if there was nothing to write.
        var commit: (number: Int64, id: UUID)?
        var written = StorageChanges()
    }

    private static let maxAttempts = 20

    /// Creates new client ids, so that earlier commits of this process count as those of another
    /// one.
    mutating func reset() {
        client = UUID.random()
        // Needs a new id too, because batches are counted from 1 again.
        mergingClient = UUID.random()
        batch = 0
        unresolved = nil
        confirmed = StorageChanges()
    }

    mutating func commit(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        try resolve(reader)
        let changes = changes.after(confirmed)
        guard !changes.isEmpty else {
            confirmed = StorageChanges()
            return Outcome(result: CommitResult(isBehind: true))
        }
        let outcome = try write(changes, reader, known: known)
        confirmed = StorageChanges()
        return outcome
    }

    private mutating func write(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        if changes.count == changes.items.count, !changes.haveNext {
            do {
                let sent = try send(changes, by: client, for: changes, reader, known)
                return Outcome(
                    result: CommitResult(refused: sent.refused, isBehind: sent.isBehind),
                    commit: (sent.number, sent.id), written: changes)
            } catch let failure as PostgresFailure where failure.isConflict {
                // Merged below.
            }
        }
        for _ in 0..<Self.maxAttempts {
            do {
                return try merge(changes, reader, known: known)
            } catch let failure as PostgresFailure where failure.isConflict {
                continue
            }
        }
        throw Self.crowded
    }

    /// Commits again the changes that the server has lost since commit `number`.
    ///
    /// If another client has edited an item since, the later of two edits of a field wins, and the
    /// other is kept in the note.
    mutating func sendAgain(
        _ lost: PostgresHistory.Lost, _ reader: PostgresReader, after number: Int64
    ) throws -> Outcome {
        for _ in 0..<Self.maxAttempts {
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
        state: PostgresFailure.waiting, "too many other processes write to this list at once")

    /// - Parameter laterWinsAt: The number of a commit, or `nil`. With a number, the later of two
    ///   edits of a field wins, and the merge fails if another commit has followed that one.
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
        // The server removes a deleted tag from all items that have it, including items to which
        // another client has added it since the snapshot. This process must then fetch those items.
        let hasExternalChanges =
            snapshot.hasOthers || result.conflicts.contains(where: \.isOfName)
            || written.tags.hasDeletions
        let author = hasExternalChanges ? mergingClient : client
        let sent = try send(written, by: author, for: changes, reader, snapshot.number)
        result.refused += sent.refused
        result.isBehind = snapshot.hasOthers || sent.isBehind
        return Outcome(result: result, commit: (sent.number, sent.id), written: written)
    }

    // MARK: To the server

    private struct Sent {
        var number: Int64
        var id: UUID
        var isBehind: Bool
        var refused: [Refusal]
    }

    /// Sends rows that result from `changes`, and that the client id `author` writes.
    private mutating func send(
        _ rows: StorageChanges, by author: UUID, for changes: StorageChanges,
        _ reader: PostgresReader, _ expected: Int64, oneByOne: Bool = false
    ) throws -> Sent {
        let number = batch + 1
        unresolved = (author, number, changes)
        batch = number
        do {
            let answer = try reader.connection.rows(
                """
                SELECT done_number, done_id, is_behind, refused
                FROM sheaf.commit(
                  $1::uuid, $2::integer, $3::uuid, $4::bigint, $5::bigint, $6::json, $7::boolean)
                """,
                [
                    reader.list.uuidString, "\(PostgresSchema.version)", author.uuidString,
                    "\(number)", "\(expected)", reader.schema.json(rows), "\(oneByOne)",
                ])
            unresolved = nil
            guard answer.count == 1, let id = answer.uuid(0, 1) else {
                throw PostgresFailure(
                    state: "XX000", "the server's commit function returned no result")
            }
            return Sent(
                number: answer.integer(0, 0), id: id, isBehind: answer.flag(0, 2),
                refused: Self.refusals(answer.text(0, 3)))
        } catch let failure as PostgresFailure {
            // A server that answers with an error has committed nothing.
            if !failure.isOfConnection { unresolved = nil }
            // The commit will be sent again, merged or row by row, under the name that the log has
            // for it.
            if failure.isConflict || failure.isOfRow { batch = number - 1 }
            guard failure.isOfRow, !oneByOne else { throw failure }
            // The error does not identify the row, so each row is sent separately.
            return try send(rows, by: author, for: changes, reader, expected, oneByOne: true)
        }
    }

    /// Returns and clears the changes of commits that succeeded although they seemed to fail.
    mutating func consumeConfirmed() -> StorageChanges {
        defer { confirmed = StorageChanges() }
        return confirmed
    }

    /// Determines the outcome of a commit whose answer was lost. From then on, the server refuses
    /// that commit if it has not made it.
    mutating func resolve(_ reader: PostgresReader) throws {
        guard let unresolved else { return }
        // The caller may also not know yet of an earlier commit whose answer was lost, so the
        // changes are added.
        if try reader.hasCommitted(unresolved.batch, of: unresolved.client) {
            confirmed.appendCommitted(unresolved.changes)
        }
        self.unresolved = nil
    }

    /// Parses `refused`, which has the form `[id, reason, id, reason, …]`.
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
    /// Returns the JSON parameter of the commit function.
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
    /// Returns the changes that remain after `confirmed`, so that an entity which another process
    /// has deleted since is not inserted again.
    fileprivate func after(_ confirmed: EntityChanges) -> EntityChanges {
        var changes = only { id in confirmed[id].map { $0.after != self[id]?.after } ?? true }
        for (id, change) in confirmed.elements { changes[id]?.before = change.after }
        return changes
    }
}

extension EntityChanges<Item> {
    /// Returns the items that `list` receives if the later edit of each field wins.
    fileprivate func merged(byLaterWith list: WholeList) -> EntityChanges {
        var result = Reconciled()
        return merged(by: .laterItems, &result) { list.items[$0] }
    }
}

extension StorageChanges {
    /// Returns the changes that remain after `confirmed`, which the server has stored.
    fileprivate func after(_ confirmed: StorageChanges) -> StorageChanges {
        guard !confirmed.isEmpty else { return self }
        var changes = StorageChanges()
        func take(_ kind: (some ListEntity).Type) {
            changes[kind] = self[kind].after(confirmed[kind])
        }
        for kind in Kinds.all { take(kind) }
        return changes
    }
}

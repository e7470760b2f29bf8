import FoundationEssentials
import SheafList
import SheafStorage
import SwiduxFiles

/// The lists to which references without an id lead on this machine.
///
/// A reference keeps its list even if other members create lists of the same name, or revoke the
/// right to the first one. Each choice is a small JSON file in the folder `lists` of the state
/// folder. Its file name depends on the database, the role and the reference. The database is
/// identified by its own id, so a new host name or a failover makes no difference.
struct RememberedLists {
    private struct Memory: Codable, Equatable {
        var database: String
        var role: String
        /// The reference, or an empty text for a URL without a list.
        var reference: String
        var list: UUID

        /// Compares bytes, because the server can have two lists whose names Swift considers equal.
        func isOf(_ reference: String?, _ database: String, _ role: String) -> Bool {
            zip([self.database, self.role, self.reference], [database, role, reference ?? ""])
                .allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }
    }

    private let state: StateFolder?
    /// The choices just before a list was opened.
    private let memoriesAtOpening: [Memory]
    /// Called with a sentence for the user if a list cannot be remembered.
    private let report: (String) -> Void
    /// Called if a list of another role is opened by its bare name or without a name. Receives the
    /// exact reference in the form for URLs and, on first use, a sentence for the user.
    let assume: (_ reference: String, _ notice: String?) -> Void

    init(
        in state: StateFolder?, report: @escaping (String) -> Void = { _ in },
        assume: @escaping (_ reference: String, _ notice: String?) -> Void = { _, _ in }
    ) {
        self.init(state, memoriesAtOpening: [], report: report, assume: assume)
    }

    private init(
        _ state: StateFolder?, memoriesAtOpening: [Memory], report: @escaping (String) -> Void,
        assume: @escaping (_ reference: String, _ notice: String?) -> Void
    ) {
        self.state = state
        self.memoriesAtOpening = memoriesAtOpening
        self.report = report
        self.assume = assume
    }

    /// Creates the remembered lists for opening `server`, which receives the reports.
    init(of server: ServerList?) {
        self.init(
            server?.state, memoriesAtOpening: Self.files(in: server?.state),
            report: { server?.report($0) }, assume: { server?.assume($0, notice: $1) })
    }

    /// Returns the list to which `url` led on its last use, or `nil`.
    func former(_ url: PostgresURL) throws -> ServerList.Identity? {
        try ServerList.remembered(try PostgresConnection.destination(of: url), in: state)
    }

    /// Returns the list to which `reference` leads, or `nil` if it has not been used yet.
    ///
    /// - Throws: `StorageError` if there may be a record that cannot be read. The caller must then
    ///   not open any list.
    func list(for reference: String?, in database: String, as role: String) throws -> UUID? {
        let name = Self.name(reference, database, role)
        guard let state, state.mayContain(name) else { return nil }
        let memory: Memory?
        do {
            memory = try JSONDecoder().decode(Memory.self, from: Data(state.read(name) ?? []))
        } catch {
            memory = nil
        }
        guard let memory, memory.isOf(reference, database, role) else {
            throw StorageError(
                .cannotOpen, at: "\(state.path)/\(name)",
                reason: "this file, which says what \(reference.map { "list=\($0)" } ?? "no list=")"
                    + " means, cannot be read",
                advice: "Choose the list again: sheaf share use REFERENCE --store URL")
        }
        return memory.list
    }

    /// Returns the list to which `reference` led just before the list was opened, or `nil`. Since
    /// then, the user may have chosen another list in another process.
    func listAtOpening(
        for reference: String?, in database: String, as role: String
    ) -> UUID? {
        memoriesAtOpening.first { $0.isOf(reference, database, role) }?.list
    }

    /// Remembers that `reference` leads to `list`. Reports a failure to the user.
    func remember(_ list: UUID, for reference: String?, in database: String, as role: String) {
        do {
            try set(list, for: reference, in: database, as: role)
        } catch {
            let error = StorageError(error, at: state?.path ?? "")
            report(
                "Cannot remember which list this name means: \(error.location): \(error.reason)."
                    + " To be safe, name it by its id: list=\(list.uuidString.lowercased())")
        }
    }

    /// Remembers that `reference` leads to `list`.
    ///
    /// - Throws: `StorageError` if the choice cannot be saved.
    func set(
        _ list: UUID, for reference: String?, in database: String, as role: String
    ) throws {
        guard let state else {
            throw StorageError(
                .cannotOpen, at: "$XDG_STATE_HOME", reason: "there is no home folder")
        }
        let memory = Memory(
            database: database, role: role, reference: reference ?? "", list: list)
        let bytes = try JSONEncoder().encode(memory)
        try state.write(Array(bytes), to: Self.name(reference, database, role))
    }

    /// Removes the records of URLs that now lead to `list`: URLs of its database with its bare name
    /// or without a name, URLs that differ from `url` only in the reference, and URLs of a list
    /// with the same id, because `list` may be its copy.
    func forgetURLs(of list: ListRow, _ identity: ServerList.Identity, by url: PostgresURL) throws {
        guard let state else { return }
        let own = try PostgresConnection.destination(of: url)
        let server = own.ranges(of: "&list=").last.map { own[..<$0.lowerBound] } ?? own[...]
        let bare = [list.name, ""]
        let id = list.id.uuidString
        for reference in bare + [list.reference, "\(list.owner)/\(list.name)", id, id.lowercased()]
        {
            ServerList.drop("\(server)&list=\(reference)", in: state)
        }
        ServerList.forget(in: state) { destination, former in
            let isBare = bare.contains { destination.hasSuffix("&list=\($0)") }
            return former.role.utf8.elementsEqual(identity.role.utf8)
                && (former.id == list.id || isBare && former.database == identity.database)
        }
    }

    /// Removes the record of the list to which `url` led.
    ///
    /// - Returns: The list, or `nil` if none was remembered.
    func forget(_ url: PostgresURL) throws -> ServerList.Identity? {
        guard let state else { return nil }
        return try ServerList.forget(try PostgresConnection.destination(of: url), in: state)
    }

    /// The ids of the lists in the files of the folder, including those of `ServerList`. These
    /// lists were opened on this machine, by any reference and on any server.
    var opened: Set<UUID> {
        let files: [OpenedList] = Self.files(in: state)
        return Set(files.compactMap { $0.list ?? $0.identity?.id })
    }

    /// Returns the files of the folder that can be decoded as `File`.
    private static func files<File: Decodable>(in state: StateFolder?) -> [File] {
        guard let state else { return [] }
        return FolderContents.names(in: "\(state.path)/lists").compactMap { name in
            do {
                let bytes = Data(state.read("lists/\(name)") ?? [])
                return try JSONDecoder().decode(File.self, from: bytes)
            } catch {
                return nil
            }
        }
    }

    private struct OpenedList: Decodable {
        var list: UUID?
        var identity: ServerList.Identity?
    }

    private static func name(_ reference: String?, _ database: String, _ role: String) -> String {
        // The parts contain no NUL, so different parts never result in the same joined text.
        let word = [database, role, reference ?? ""].joined(separator: "\0").stableHashWord
        return "lists/\(word).json"
    }
}

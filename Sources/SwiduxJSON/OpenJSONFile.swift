import Dispatch
import Swidux
import SwiduxFiles

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A ``JSONFile`` that is open and locked. Commits run on one serial queue, which justifies
/// `@unchecked Sendable`.
final class OpenJSONFile: @unchecked Sendable {
    private let file: JSONFile
    private let path: String
    private let queue = DispatchQueue(label: "swidux.file")

    /// The stores in the file: first those that the application declares, in the order of their
    /// declaration, then those that it does not know.
    private(set) var parts: [KeptDocument.Part]
    /// The open file that holds the lock.
    private var lock: OpenFile
    private var version: FileVersion
    /// A hash of the file's bytes. It has a meaning only in this process.
    private var content: Int

    private static let mark = "swidux-new"

    /// Opens the file, or makes one with `parts`.
    init(
        _ file: JSONFile, _ parts: [KeptDocument.Part]
    ) throws(JSONFile.Failure) {
        self.file = file
        let names = parts.map(\.name)
        precondition(Set(names).count == names.count, "Two stores are kept under one name.")
        do {
            let followed = try ResolvedPath(file.path)
            try followed.checkWritable()
            guard followed.descriptor == nil else {
                throw file.failure(.cannotOpen, "this is an open file of the process")
            }
            path = followed.path
            (lock, version, content, self.parts) = try Self.open(path, file, parts)
            FileDraft.removeAbandoned(of: path, mark: Self.mark)
        } catch {
            throw file.failure(error)
        }
    }

    /// Makes `changes` durable.
    func commit(_ changes: NamedChanges) async throws -> CommitResult<NamedChanges> {
        try await BlockingCalls.run(on: queue) { [self] in
            Result { try write(changes) }
        }.get()
    }

    private func write(_ changes: NamedChanges) throws(JSONFile.Failure) -> CommitResult<
        NamedChanges
    > {
        var result = CommitResult<NamedChanges>()
        var next = parts
        for index in next.indices {
            result.refused += next[index].part.apply(changes, under: next[index].name)
        }
        do {
            let text = try KeptDocument.text(of: next, format: file.format, version: file.version)
            if let old = try oldStatus() {
                try Self.checkWritable(path, file)
                let replaced = try WholeFile.replace(
                    path, version, with: text, keeping: old, mark: Self.mark, isLocked: true)
                guard let replaced else {
                    throw file.failure(.changed, "another program has changed it")
                }
                (version, lock) = replaced
                try OpenFile.syncFolder(Self.folder(of: path))
            } else if let (made, _) = try Self.make(path, file, next) {
                (version, lock) = (FileVersion(try made.status()), made)
            } else {
                throw file.failure(.changed, "another program has created it again")
            }
            content = Self.hash(of: text)
        } catch {
            throw file.failure(error)
        }
        parts = next
        return result
    }

    /// Returns the status of the file that may be replaced, or nil if the file is gone and may be
    /// created.
    ///
    /// - Throws: if another program has changed, moved or deleted the file, unless the application
    ///   has called ``JSONFile/overwrite()``.
    private func oldStatus() throws -> stat? {
        var old = stat()
        guard lstat(path, &old) == 0 else {
            guard errno == ENOENT else { throw SystemError.last }
            if file.mayOverwrite.use() { return nil }
            throw file.failure(.changed, "it was moved or deleted")
        }
        if FileVersion(old) == version { return old }
        // A new modification time without new bytes, as from `touch`, is not a change.
        if FileVersion.Identity(old) == version.identity,
            Self.hash(of: try WholeFile.read(try OpenFile(path, O_RDONLY | O_NOFOLLOW))) == content
        {
            version = FileVersion(old)
            return old
        }
        guard old.st_mode & S_IFMT == S_IFREG, file.mayOverwrite.use() else {
            throw file.failure(.changed, "another program has changed it")
        }
        version = FileVersion(old)
        return old
    }

    // MARK: Opening

    private static func open(
        _ path: String, _ file: JSONFile, _ parts: [KeptDocument.Part]
    ) throws -> (OpenFile, FileVersion, content: Int, [KeptDocument.Part]) {
        while true {
            guard let opened = try openLocked(path, file) else {
                if let (made, text) = try make(path, file, parts) {
                    return (made, FileVersion(try made.status()), hash(of: text), parts)
                }
                continue
            }
            try checkWritable(path, file)
            // The version is determined before reading: text that is added meanwhile belongs to
            // another version.
            let version = FileVersion(try opened.status())
            let text = try WholeFile.read(opened)
            return (
                opened, version, hash(of: text),
                try KeptDocument.parts(in: text, like: parts, of: file)
            )
        }
    }

    /// Opens and locks the file at `path`. Returns nil if there is no file, or if another file has
    /// replaced it meanwhile.
    private static func openLocked(_ path: String, _ file: JSONFile) throws -> OpenFile? {
        var status = stat()
        do throws(SystemError) {
            let opened = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
            status = try opened.status()
            if status.st_mode & S_IFMT == S_IFREG {
                guard try opened.lock() else { throw SystemError(number: EWOULDBLOCK) }
                let isThere = try FileVersion(at: path).identity == FileVersion.Identity(status)
                return isThere ? opened : nil
            }
        } catch  where error.number == ENOENT {
            return nil
        } catch  where error.number == EWOULDBLOCK {
            throw file.failure(.inUse, "it is open already, in another process or in this one")
        } catch {
            // The system's error does not explain that a socket cannot be opened.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
                throw file.failure(.cannotOpen, error.words)
            }
        }
        throw file.failure(
            .cannotOpen, "this is \(FileKind.words(for: status.st_mode)), not a file")
    }

    /// Creates the file with `parts`, and locks it before it gets its name. Returns nil if the name
    /// is taken.
    private static func make(
        _ path: String, _ file: JSONFile, _ parts: [KeptDocument.Part]
    ) throws -> (OpenFile, text: [UInt8])? {
        if let refusal = parts.lazy.compactMap({ $0.part.refusal() }).first {
            throw file.failure(.cannotOpen, "\(refusal.id): \(refusal.reason)")
        }
        let text = try KeptDocument.text(of: parts, format: file.format, version: file.version)
        do throws(SystemError) {
            try NewFolders.make(to: folder(of: path))
            let draft = try FileDraft(for: path, mark: mark)
            let made = try draft.open()
            try made.write(text)
            try made.sync()
            guard try draft.claim() else { return nil }
            try OpenFile.syncFolder(folder(of: path))
            return (draft.lock ?? made, text)
        } catch {
            // Another process was quicker and has removed the draft.
            if access(path, F_OK) == 0 { return nil }
            throw file.failure(.cannotOpen, "it cannot be made: \(error.words)")
        }
    }

    /// Throws if the user may not write to the file. Replacing it does not need that permission,
    /// but the user may have removed the permission on purpose.
    private static func checkWritable(_ path: String, _ file: JSONFile) throws {
        guard access(path, W_OK) == 0, access(folder(of: path), W_OK | X_OK) == 0 else {
            throw file.failure(.cannotOpen, "it cannot be written to: \(SystemError.last.words)")
        }
    }

    private static func hash(of text: [UInt8]) -> Int {
        var hasher = Hasher()
        text.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static func folder(of path: String) -> String {
        let folder = path.parentPath
        return folder.isEmpty ? "/" : folder
    }
}

extension JSONFile {
    func failure(_ code: Failure.Code, _ reason: String) -> Failure {
        Failure(code: code, path: path, reason: reason)
    }

    /// Returns the failure for any error about the file.
    fileprivate func failure(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let error as PathError:
            failure(
                .cannotOpen,
                [error.reason, error.advice].compactMap(\.self).joined(separator: ". "))
        case let error as SystemError: failure(.io, error.words)
        default: failure(.io, "\(error)")
        }
    }
}

import Glibc
import SheafFormats
import SheafList

/// The file of a store and its kind: any value of `--store` but `memory:` and the URL of a list on
/// a server, which ``Locations`` handles.
///
///     try StoreURL("sqlite:reading.sqlite")
///     try StoreURL("reading.json")            // judged by its extension: SQLite unless .json
///     try StoreURL.standard(environment: ProcessInfo.processInfo.environment)
public struct StoreURL: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of stores.
    public enum Backend: String, CaseIterable, Hashable, Sendable {
        /// An SQLite database.
        case sqlite
        /// A JSON text, for lists that live in a repository.
        case json

        /// The endings of file names that suit such a store.
        public var endings: [String] {
            switch self {
            case .sqlite: [".sqlite", ".sqlite3", ".db"]
            case .json: [".json"]
            }
        }
    }

    public let backend: Backend
    /// The file, as it was given: relative paths are relative to the working directory.
    public let path: String

    /// The store at `path`.
    public init(_ backend: Backend, path: String) {
        self.backend = backend
        self.path = path
    }

    /// What `text` names: `sqlite:PATH`, `json:PATH`, or a path judged by its extension. A leading
    /// `~/` in a path stands for `home`, because a shell does not expand it after a colon or `=`.
    ///
    /// - Throws: ``StoreURLError`` if `text` names no store that this version can open.
    public init(_ text: String, home: String? = nil) throws(StoreURLError) {
        guard !text.isEmpty else {
            throw StoreURLError("the store has no name; name one, such as sqlite:list.sqlite")
        }
        // By bytes, because a colon and a mark after it are one character.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            Self.isScheme(text[..<colon])
        else {
            let name = text.lowercased()
            if let format = [".md", ".markdown", ".txt"].first(where: name.hasSuffix) {
                throw StoreURLError(
                    "a list cannot live in a \(format) file; import '\(text)' into a list, or use"
                        + " sqlite:\(text) for a database of that name")
            }
            let isJSON = Backend.json.endings.contains(where: name.hasSuffix)
            self.init(isJSON ? .json : .sqlite, path: try Self.expand(text, home: home))
            return
        }
        let rest = String(Substring(text.utf8[colon...].dropFirst()))
        let scheme = text[..<colon].lowercased()
        if scheme == "memory" {
            throw StoreURLError(
                rest.isEmpty
                    ? "memory: is for trying the screen; name a file"
                    : "memory: takes no path (for a file of that name write ./\(text))")
        }
        guard let backend = Backend(rawValue: scheme) else {
            guard !Self.isOfServer(text) else {
                throw StoreURLError("this takes no list on a server; name a file")
            }
            // What looks like the URL of a server may have a password in it.
            let isFileName = !rest.hasPrefix("//")
            throw StoreURLError(
                "'\(scheme):' is not a kind of store; use sqlite:PATH, json:PATH,"
                    + " postgresql://HOST/DATABASE?list=NAME, or memory: for the screen alone"
                    + (isFileName ? " (for a file of that name write ./\(text))" : ""))
        }
        guard !rest.isEmpty else { throw StoreURLError("'\(text)' needs the path of a file") }
        self.init(backend, path: try Self.expand(rest, home: home))
    }

    /// The store that `name` names, as in ``init(_:home:)``, or the standard one if it is nil.
    ///
    /// - Throws: ``StoreURLError``.
    public init(named name: String?, environment: [String: String]) throws(StoreURLError) {
        guard let name else {
            self = try .standard(environment: environment)
            return
        }
        try self.init(name, home: Self.home(in: environment))
    }

    /// The file that ``Location/address`` names, or nil for a list on a server and any other text.
    public init?(address: String) {
        guard Backend.allCases.contains(where: { address.hasPrefix("\($0.rawValue):/") })
        else { return nil }
        do { try self.init(address) } catch { return nil }
    }

    /// The store that is opened when none is named: `$XDG_DATA_HOME/sheaf/sheaf.sqlite`, or below
    /// `~/.local/share` if that is unset, empty or relative (which the XDG specification says to
    /// ignore).
    ///
    /// - Parameter passwordHome: the home folder to use when `HOME` is unset or relative.
    /// - Throws: ``StoreURLError`` if there is no home folder.
    public static func standard(
        environment: [String: String],
        passwordHome: @autoclosure () -> String? = Self.homeOfUser()
    ) throws(StoreURLError) -> StoreURL {
        if let data = environment.absolutePath("XDG_DATA_HOME") {
            return StoreURL(.sqlite, path: data + "/sheaf/sheaf.sqlite")
        }
        guard let home = home(in: environment, passwordHome: passwordHome()) else {
            throw StoreURLError(
                "HOME is not set, so there is no default store; name one with --store")
        }
        return StoreURL(.sqlite, path: home + "/.local/share/sheaf/sheaf.sqlite")
    }

    /// The home folder, as an absolute path, or nil: what ``init(_:home:)`` takes.
    ///
    /// - Parameter passwordHome: the home folder to use when `HOME` is unset or relative.
    public static func home(
        in environment: [String: String],
        passwordHome: @autoclosure () -> String? = Self.homeOfUser()
    ) -> String? {
        if let home = environment.absolutePath("HOME") { return home }
        return passwordHome().flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The home folder that the system's user database names, or nil.
    public static func homeOfUser() -> String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// The form that ``init(_:home:)`` takes.
    public var description: String { "\(backend.rawValue):\(path)" }

    /// Whether `text` names a list on a server: its scheme is `postgresql` or `postgres`.
    static func isOfServer(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return ["postgresql", "postgres"].contains(text[..<colon].lowercased())
    }

    /// Whether `text` could be the scheme of a URL (RFC 3986, section 3.1).
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || [0x2B, 0x2D, 0x2E].contains(byte)
        }
    }

    private static func expand(_ path: String, home: String?) throws(StoreURLError) -> String {
        guard path.hasPrefix("~/") else { return path }
        guard let home else {
            throw StoreURLError(
                "HOME is not set, so '\(path)' names no file; write ./\(path) or /…")
        }
        return home + path.dropFirst()
    }
}

/// A text that names no store that can be opened: wrong usage, not a failure of storage.
public struct StoreURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the user.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

import Glibc
import SheafFormats
import SheafList

/// The file and the kind of a store: any value of `--store` except `memory:` and the URL of a list
/// on a server. ``Locations`` handles these two.
///
///     try StoreURL("sqlite:reading.sqlite")
///     try StoreURL("reading.json")            // judged by its extension: SQLite unless .json
///     try StoreURL.standard(environment: ProcessInfo.processInfo.environment)
package struct StoreURL: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of stores.
    package enum Backend: String, CaseIterable, Hashable, Sendable {
        /// An SQLite database.
        case sqlite
        /// A JSON text, for lists kept in a version-controlled folder.
        case json

        /// The file name extensions of such a store.
        package var endings: [String] {
            switch self {
            case .sqlite: [".sqlite", ".sqlite3", ".db"]
            case .json: [".json"]
            }
        }
    }

    package let backend: Backend
    /// The file as the user named it. A relative path is relative to the working directory.
    package let path: String

    /// Creates the name of the store at `path`.
    package init(_ backend: Backend, path: String) {
        self.backend = backend
        self.path = path
    }

    /// Parses `text`: `sqlite:PATH`, `json:PATH`, or a path whose extension decides. A leading `~/`
    /// in a path stands for `home`, because a shell does not expand it after a colon or `=`.
    ///
    /// - Throws: ``StoreURLError`` if `text` names no store that this version can open.
    package init(_ text: String, home: String? = nil) throws(StoreURLError) {
        guard !text.isEmpty else {
            throw StoreURLError("the store has no name; name one, such as sqlite:list.sqlite")
        }
        // Compares bytes, because a colon and a following combining mark form one `Character`.
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
                throw StoreURLError("this cannot be a list on a server; name a file")
            }
            // A text that looks like the URL of a server may contain a password.
            let isFileName = !rest.hasPrefix("//")
            throw StoreURLError(
                "'\(scheme):' is not a kind of store; use sqlite:PATH, json:PATH,"
                    + " postgresql://HOST/DATABASE?list=NAME, or memory: for the screen alone"
                    + (isFileName ? " (for a file of that name write ./\(text))" : ""))
        }
        guard !rest.isEmpty else { throw StoreURLError("'\(text)' needs the path of a file") }
        self.init(backend, path: try Self.expand(rest, home: home))
    }

    /// Parses `name` as ``init(_:home:)`` does, or returns the standard store if it is nil.
    ///
    /// - Throws: ``StoreURLError``.
    package init(named name: String?, environment: [String: String]) throws(StoreURLError) {
        guard let name else {
            self = try .standard(environment: environment)
            return
        }
        try self.init(name, home: Self.home(in: environment))
    }

    /// Parses a ``Location/address``. Nil for a list on a server and for any other text.
    package init?(address: String) {
        guard Backend.allCases.contains(where: { address.hasPrefix("\($0.rawValue):/") })
        else { return nil }
        do { try self.init(address) } catch { return nil }
    }

    /// Returns the default store: `$XDG_DATA_HOME/sheaf/sheaf.sqlite`, or the same below
    /// `~/.local/share` if that variable is unset, empty or relative. The XDG specification says to
    /// ignore relative paths.
    ///
    /// - Parameter passwordHome: the home folder to use when `HOME` is unset or relative.
    /// - Throws: ``StoreURLError`` if there is no home folder.
    package static func standard(
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

    /// Returns the home folder as an absolute path, for ``init(_:home:)``, or nil.
    ///
    /// - Parameter passwordHome: the home folder to use when `HOME` is unset or relative.
    package static func home(
        in environment: [String: String],
        passwordHome: @autoclosure () -> String? = Self.homeOfUser()
    ) -> String? {
        if let home = environment.absolutePath("HOME") { return home }
        return passwordHome().flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the home folder according to the system's user database, or nil.
    package static func homeOfUser() -> String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// The store in the form that ``init(_:home:)`` parses.
    package var description: String { "\(backend.rawValue):\(path)" }

    /// Returns true if `text` names a list on a server: its scheme is `postgresql` or `postgres`.
    static func isOfServer(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return ["postgresql", "postgres"].contains(text[..<colon].lowercased())
    }

    /// Returns true if `text` is a valid scheme of a URL (RFC 3986, section 3.1).
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

/// The error for a text that names no store. It is a usage error, not a failure of storage.
package struct StoreURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the user.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

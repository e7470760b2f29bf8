#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A path whose links were followed once, with a check whether the target may be written.
///
/// Links of the user and of root, such as `/dev/stdout`, are trusted. Another user could point a
/// link at any file to have it overwritten.
package struct ResolvedPath: Sendable {
    /// The absolute path that the links lead to, whether or not it exists.
    package let path: String
    /// The first of the links that belongs to another user, or nil.
    package let untrustedLink: String?
    /// True if a link was followed.
    package let isBehindLink: Bool
    /// The descriptor of this process that the path names, for `/dev/stdout` or a shell's `>(…)`.
    package let descriptor: Int32?

    /// Follows the links of `location`. A relative path starts at the working folder. O(length of
    /// the path).
    ///
    /// - Throws: if links lead in a circle, or the working folder no longer exists.
    package init(_ location: String) throws(PathError) {
        var current = try Self.absolute(location)
        var untrustedLink: String?
        var hops = 0
        var descriptor = Self.ownDescriptor(current)
        while descriptor == nil, let target = Self.linkTarget(current) {
            guard hops < 40 else { throw PathError(SystemError(number: ELOOP).words) }
            hops += 1
            if untrustedLink == nil, !Self.isTrusted(link: current) { untrustedLink = current }
            current = Self.join(Self.split(current).folder, target)
            descriptor = Self.ownDescriptor(current)
        }
        self.untrustedLink = untrustedLink
        self.descriptor = descriptor
        isBehindLink = hops > 0
        path = Self.withoutLinks(inFolderOf: current)
    }

    /// Resolves the folder of `location`. A link at the last name is not followed.
    package init(named location: String) throws(PathError) {
        (untrustedLink, isBehindLink, descriptor) = (nil, false, nil)
        path = Self.withoutLinks(inFolderOf: try Self.absolute(location))
    }

    /// Checks that a file may be written or made at the path.
    ///
    /// - Throws: if the path goes through a link of another user, or if its links lead to a missing
    ///   file.
    package func checkWritable() throws(PathError) {
        if let reason = reasonAgainstWriting {
            throw PathError(
                reason, advice: "If you want that file, name it directly: \(path)")
        }
        var status = stat()
        if isBehindLink, descriptor == nil, lstat(path, &status) != 0, errno == ENOENT {
            throw PathError(
                "a dangling link", advice: "To create the file, name it directly: \(path)")
        }
    }

    /// The reason against writing through the links, in a few words, or nil.
    package var reasonAgainstWriting: String? {
        untrustedLink.map { "the link \($0) belongs to another user" }
    }

    // MARK: The parts of a path

    /// Returns `location` as an absolute path.
    ///
    /// - Throws: if the working folder no longer exists. `/name` would then be a different file.
    private static func absolute(_ location: String) throws(PathError) -> String {
        if location.hasPrefix("/") { return location }
        guard let folder = getcwd(nil, 0) else { throw noWorkingFolder }
        defer { free(folder) }
        let path = String(cString: folder)
        // The system reports an unmounted folder as "(unreachable)".
        guard path.hasPrefix("/") else { throw noWorkingFolder }
        return join(path, location)
    }

    private static var noWorkingFolder: PathError {
        PathError(
            "the working folder no longer exists",
            advice: "Change to another folder, or give an absolute path.")
    }

    /// Returns `path` with the links in its folder resolved. Only the system can resolve `..` after
    /// a link.
    private static func withoutLinks(inFolderOf path: String) -> String {
        let (folder, name) = split(path)
        return join(resolved(folder) ?? folder, name)
    }

    private static func resolved(_ folder: String) -> String? {
        guard let resolved = realpath(folder, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns N if the path is `/proc/self/fd/N`, through any links. Callers write to that
    /// descriptor: its file may have no path, and a write to a path would replace the file.
    private static func ownDescriptor(_ path: String) -> Int32? {
        let (folder, name) = split(path)
        guard let number = Int32(name), number >= 0 else { return nil }
        return resolved(folder) == "/proc/\(getpid())/fd" ? number : nil
    }

    private static func isTrusted(link: String) -> Bool {
        var status = stat()
        return lstat(link, &status) == 0 && [0, geteuid()].contains(status.st_uid)
    }

    /// Returns `path`, resolved against `folder`.
    private static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        guard count >= 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

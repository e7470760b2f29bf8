/// The parts of a path. Slashes are searched for as bytes, because the system treats a slash
/// followed by a combining mark as a slash.
extension String {
    /// The folder that contains the last name of the path: empty for a bare name, `/` at the root.
    package var parentPath: String {
        let path = bytesOfPath
        guard let slash = path.lastIndex(of: Self.slash) else { return "" }
        let parent = path[..<slash].lastIndex { $0 != Self.slash }
        return parent.map { String(decoding: path[...$0], as: UTF8.self) } ?? "/"
    }

    /// The last name of the path, or `/` for the root.
    package var lastPathName: String {
        let path = bytesOfPath
        guard let slash = path.lastIndex(of: Self.slash), path.count > 1 else {
            return String(decoding: path, as: UTF8.self)
        }
        return String(decoding: path[(slash + 1)...], as: UTF8.self)
    }

    private static var slash: UInt8 { UInt8(ascii: "/") }

    /// The path without trailing slashes.
    private var bytesOfPath: ArraySlice<UInt8> {
        var path = Array(utf8)[...]
        while path.count > 1, path.last == Self.slash { path.removeLast() }
        return path
    }
}

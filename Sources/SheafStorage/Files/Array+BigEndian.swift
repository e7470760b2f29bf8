extension [UInt8] {
    /// Returns the big-endian number of the four bytes at `offset`, as in all files of SQLite.
    func bigEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

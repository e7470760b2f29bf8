import CLibPQ
import FoundationEssentials

/// The rows of one query in the binary format of the server's `send` functions: big-endian
/// integers, texts without a terminator, a UUID as 16 bytes, arrays with a header.
final class PostgresResult {
    private let handle: OpaquePointer
    let count: Int

    /// Takes ownership of `handle`.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        count = Int(CPQntuples(handle))
    }

    deinit { CPQclear(handle) }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        CPQgetisnull(handle, Int32(row), Int32(column)) == 1
    }

    /// Returns the bytes of a value, which are valid only while this object exists.
    func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        guard let start = CPQgetvalue(handle, Int32(row), Int32(column)) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let count = Int(CPQgetlength(handle, Int32(row), Int32(column)))
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
    }

    func text(_ row: Int, _ column: Int) -> String {
        String(postgresText: bytes(row, column))
    }

    /// Returns a `bigint`, `integer` or `smallint`, or 0 for NULL.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        let bytes = bytes(row, column)
        guard !bytes.isEmpty, bytes.count <= 8 else { return 0 }
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = UInt64(64 - bytes.count * 8)
        return Int64(bitPattern: bits << unused) >> Int64(unused)
    }

    func flag(_ row: Int, _ column: Int) -> Bool { bytes(row, column).first == 1 }

    func uuid(_ row: Int, _ column: Int) -> UUID? { Self.uuid(bytes(row, column)[...]) }

    /// Returns the elements of a `uuid[]` in order, without NULLs. Empty for NULL.
    func uuids(_ row: Int, _ column: Int) -> [UUID] {
        // The header contains the number of dimensions, a flag for NULLs, the element type, and the
        // length and lower bound of each dimension. Each element has its length and its bytes.
        let bytes = bytes(row, column)
        guard bytes.count >= 20 else { return [] }
        var uuids: [UUID] = []
        var place = 20
        while place + 4 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            place += 4
            guard length == 16, place + 16 <= bytes.count else { continue }
            if let uuid = Self.uuid(bytes[place..<place + 16]) { uuids.append(uuid) }
            place += 16
        }
        return uuids
    }

    private static func uuid(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UUID? {
        guard bytes.count == 16 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        return UUID(uuid: uuid)
    }
}

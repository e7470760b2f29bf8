import CSQLite
import FoundationEssentials

/// The rows on the leaf pages of a database's tables, found by reading every page. This finds rows
/// to which a damaged page no longer leads.
///
/// Free pages are skipped, because they hold rows that were deleted or moved. Source: SQLite,
/// "Database File Format", sections 1.5, 1.6 and 2.1.
struct LeafPages {
    enum Value {
        case null
        case integer(Int64)
        case text([UInt8])
        /// A number with a fraction, or a blob. A list stores neither.
        case other
    }

    private let file: Data
    private let pageSize: Int
    /// The number of bytes of a page that SQLite uses.
    private let usable: Int

    /// Maps the file that `connection` has open into memory.
    init(of connection: SQLiteConnection) throws {
        let path = sqlite3_db_filename(connection.handle, "main").map { String(cString: $0) } ?? ""
        file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        pageSize = Int(try connection.integer("PRAGMA page_size") ?? 4_096)
        usable = pageSize - (file.count > 20 ? Int(file[20]) : 0)
    }

    /// Calls `body` with the columns of every readable row that has at most `columns` columns.
    /// O(file): the search ends early if rows share pages, as they may in a hostile file.
    func rows(columns: Int, _ body: ([Value]) -> Void) {
        let free = freePages()
        var room = 2 * file.count + 1_000_000
        for page in 1...max(file.count / pageSize, 1) where !free.contains(page) {
            let base = (page - 1) * pageSize
            let header = base + (page == 1 ? 100 : 0)
            guard number(at: header, 1) == 0x0D, let cells = number(at: header + 3, 2) else {
                continue
            }
            for cell in 0..<cells {
                guard let offset = number(at: header + 8 + 2 * cell, 2), offset < usable,
                    let values = row(at: base + offset, below: base + usable, &room),
                    values.count <= columns
                else { continue }
                if room < 0 { return }
                body(values)
            }
        }
    }

    private func freePages() -> Set<Int> {
        var pages: Set<Int> = []
        var trunk = number(at: 32, 4) ?? 0
        while trunk > 0, pages.insert(trunk).inserted {
            let base = (trunk - 1) * pageSize
            let count = min(number(at: base + 4, 4) ?? 0, usable / 4 - 2)
            pages.formUnion((0..<max(count, 0)).compactMap { number(at: base + 8 + 4 * $0, 4) })
            trunk = number(at: base, 4) ?? 0
        }
        return pages
    }

    /// Returns the columns of the row in the cell at `place`, or nil if there is no valid row.
    private func row(at place: Int, below end: Int, _ room: inout Int) -> [Value]? {
        var place = place
        guard let size = varint(&place), (2...file.count).contains(size), varint(&place) != nil
        else { return nil }
        room -= size
        guard room >= 0, let payload = payload(of: size, at: place, below: end) else { return nil }
        return payload.withUnsafeBytes { LeafPages.values(of: $0) }
    }

    /// Returns the bytes of a row, which may continue on overflow pages.
    private func payload(of size: Int, at place: Int, below end: Int) -> [UInt8]? {
        let (most, least) = (usable - 35, (usable - 12) * 32 / 255 - 23)
        var local = size
        if size > most {
            local = least + (size - least) % (usable - 4)
            if local > most { local = least }
        }
        guard place + local <= end, place + local <= file.count else { return nil }
        var bytes = Array(file[place..<place + local])
        var next = size > local ? number(at: place + local, 4) ?? 0 : 0
        while bytes.count < size {
            let base = (next - 1) * pageSize
            guard next > 0, base + usable <= file.count else { return nil }
            bytes += file[base + 4..<base + 4 + min(size - bytes.count, usable - 4)]
            next = number(at: base, 4) ?? 0
        }
        return bytes
    }

    private static func values(of record: UnsafeRawBufferPointer) -> [Value]? {
        var place = 0
        guard let end = varint(record, &place), (1...record.count).contains(end) else { return nil }
        var types: [Int] = []
        while place < end, let type = varint(record, &place) { types.append(type) }
        place = end
        var values: [Value] = []
        for type in types {
            let count =
                switch type {
                case 0, 8, 9: 0
                case 1...4: type
                case 5: 6
                case 6, 7: 8
                case 12...: (type - 12) / 2
                default: record.count + 1
                }
            guard place + count <= record.count else { return nil }
            let bytes = record[place..<place + count]
            place += count
            switch type {
            case 0: values.append(.null)
            case 1...6:
                let first = Int64(Int8(bitPattern: bytes[bytes.startIndex]))
                values.append(.integer(bytes.dropFirst().reduce(first) { $0 << 8 | Int64($1) }))
            case 8, 9: values.append(.integer(Int64(type - 8)))
            case 13... where type % 2 == 1: values.append(.text(Array(bytes)))
            default: values.append(.other)
            }
        }
        return values
    }

    // MARK: Numbers

    /// Returns the big-endian number in the `count` bytes at `place`.
    private func number(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= file.count else { return nil }
        return file[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ place: inout Int) -> Int? {
        let end = min(place + 9, file.count)
        guard place < end else { return nil }
        var offset = 0
        let value = Array(file[place..<end]).withUnsafeBytes { LeafPages.varint($0, &offset) }
        place += offset
        return value
    }

    /// Returns a number of up to 9 bytes. The first 8 bytes hold 7 bits each. Nil if it is
    /// negative.
    private static func varint(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Int? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            if index == 8 {
                value = value << 8 | UInt64(byte)
                break
            }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int(exactly: value)
    }
}

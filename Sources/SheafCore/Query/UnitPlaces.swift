extension UnsafeBufferPointer where Element: FixedWidthInteger & UnsignedInteger {
    /// At which of the up to 64 places from `start` on `unit` stands, those before `first` aside: a
    /// bit for each.
    @inline(__always)
    func places(of unit: Element, from start: Int, notBefore first: Int) -> UInt64 {
        let end = Swift.min(count, start &+ 64)
        guard first < end else { return 0 }
        let skipped = Swift.max(first &- start, 0)
        var places: UInt64 = 0
        if Element.self == UInt8.self, let base = baseAddress {
            places = UnsafeRawPointer(base).bytePlaces(
                of: UInt8(truncatingIfNeeded: unit), from: start, skipping: skipped, end: end)
        } else {
            for index in start &+ skipped..<end where self[index] == unit {
                places |= 1 &<< UInt64(index &- start)
            }
        }
        return places & (.max &<< UInt64(skipped))
    }
}

extension UnsafeRawPointer {
    /// The same for bytes, eight at a time; some of those skipped may be there.
    @inline(__always)
    fileprivate func bytePlaces(
        of byte: UInt8, from start: Int, skipping skipped: Int, end: Int
    ) -> UInt64 {
        let eight = UInt64(byte) &* 0x0101_0101_0101_0101
        var places: UInt64 = 0
        var shift = UInt64(skipped & ~7)
        var index = start &+ (skipped & ~7)
        while index &+ 8 <= end {
            places |= eightPlaces(of: eight, at: index) &<< shift
            index &+= 8
            shift &+= 8
        }
        guard index < end else { return places }
        // The last eight hold the rest.
        if end >= 8 {
            let last = eightPlaces(of: eight, at: end &- 8)
            return places | (last &>> UInt64(index &+ 8 &- end)) &<< shift
        }
        for rest in index..<end where load(fromByteOffset: rest, as: UInt8.self) == byte {
            places |= 1 &<< UInt64(rest)
        }
        return places
    }

    /// At which of eight bytes one stands, of which `eight` holds as many.
    @inline(__always) private func eightPlaces(of eight: UInt64, at offset: Int) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let bytes = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let difference = UInt64(littleEndian: bytes) ^ eight
        // The highest bit of each byte that is equal, and then all eight in one byte.
        let equal = ~((difference & low) &+ low | difference | low)
        return ((equal &>> 7) &* 0x0102_0408_1020_4080) &>> 56
    }
}

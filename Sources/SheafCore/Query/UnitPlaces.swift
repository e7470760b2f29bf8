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
    /// The same for bytes, 16 at a time; some of those skipped may be there. Inlined into generic
    /// code it is not made vectors of, and takes five times as long.
    @inline(never)
    fileprivate func bytePlaces(
        of byte: UInt8, from start: Int, skipping skipped: Int, end: Int
    ) -> UInt64 {
        let bytes = SIMD16<UInt8>(repeating: byte)
        var places: UInt64 = 0
        var shift = UInt64(skipped & ~15)
        var index = start &+ (skipped & ~15)
        while index &+ 16 <= end {
            places |= places16(of: bytes, at: index) &<< shift
            index &+= 16
            shift &+= 16
        }
        guard index < end else { return places }
        // The last 16 hold the rest.
        if end >= 16 {
            let last = places16(of: bytes, at: end &- 16)
            return places | (last &>> UInt64(index &+ 16 &- end)) &<< shift
        }
        for rest in index..<end where load(fromByteOffset: rest, as: UInt8.self) == byte {
            places |= 1 &<< UInt64(rest)
        }
        return places
    }

    /// At which of 16 bytes those of `bytes` stand: a bit for each, which a product brings
    /// together.
    @inline(__always) private func places16(of bytes: SIMD16<UInt8>, at offset: Int) -> UInt64 {
        let here = loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        let bit = SIMD16<UInt8>(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
        let bits = SIMD16<UInt8>().replacing(with: bit, where: here .== bytes)
        let halves = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
        let sum: UInt64 = 0x0101_0101_0101_0101
        return (halves[0] &* sum) >> 56 | ((halves[1] &* sum) >> 56) << 8
    }
}

import CBytes

extension UnsafeBufferPointer where Element: FixedWidthInteger & UnsignedInteger {
    /// The up to 64 units from `start` on.
    @inline(__always) func block(from start: Int) -> UnsafeBufferPointer {
        UnsafeBufferPointer(rebasing: self[start..<Swift.min(count, start &+ 64)])
    }

    /// At which places `unit` stands, of which there are up to 64: a bit for each.
    @inline(__always) func places(of unit: Element) -> UInt64 {
        if Element.self == UInt8.self, let base = baseAddress {
            return cbytes_places(
                UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self), count,
                UInt8(truncatingIfNeeded: unit))
        }
        var places: UInt64 = 0
        for index in 0..<count where self[index] == unit { places |= 1 &<< UInt64(index) }
        return places
    }

    /// At which of the up to 64 units of a block each unit of a word stands.
    @inline(__always) func findPlaces(
        of word: UnsafeBufferPointer, inBlock block: Int, _ places: UnsafeMutablePointer<UInt64>
    ) {
        if Element.self == UInt8.self, let base = baseAddress, let letters = word.baseAddress {
            return cbytes_places_of_word(
                UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self), count, block,
                UnsafeRawPointer(letters).assumingMemoryBound(to: UInt8.self), word.count, places)
        }
        let units = self.block(from: block &<< 6)
        for index in word.indices { places[index] = units.places(of: word[index]) }
    }

    /// Which of up to 64 places may come after something else than a letter from a to z: a bit for
    /// each, and for the first of them always.
    @inline(__always) func placesAfterOthers() -> UInt64 {
        if Element.self == UInt8.self, let base = baseAddress {
            let letters = cbytes_places_of_range(
                UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self), count, 0x61, 25)
            return ~letters &<< 1 | 1
        }
        return .max
    }
}

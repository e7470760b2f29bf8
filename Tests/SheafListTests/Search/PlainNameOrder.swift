extension [UInt8] {
    /// The order of two folded names by its definition, without keys: negative if this one comes
    /// first, positive if `other` does, 0 if neither.
    func compareAsName(to other: [UInt8]) -> Int {
        var (left, right) = (self[...], other[...])
        while let ours = left.first, let theirs = right.first {
            if ours.isDigit, theirs.isDigit {
                let (number, otherNumber) = (left.takeNumber(), right.takeNumber())
                if number.count != otherNumber.count { return number.count - otherNumber.count }
                for (ours, theirs) in zip(number, otherNumber) where ours != theirs {
                    return Int(ours) - Int(theirs)
                }
            } else if ours != theirs {
                return Int(ours) - Int(theirs)
            } else {
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.count - right.count
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { 0x30...0x39 ~= self }
}

extension ArraySlice<UInt8> {
    /// Removes a number and returns its digits, zeros in front aside.
    fileprivate mutating func takeNumber() -> ArraySlice {
        let digits = prefix(while: \.isDigit)
        self = dropFirst(digits.count)
        return digits.drop { $0 == 0x30 }
    }
}

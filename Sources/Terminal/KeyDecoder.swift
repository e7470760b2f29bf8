public struct KeyDecoder: Sendable {
    public init() {}
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] { [] }
    public var hasPending: Bool { false }
    public mutating func timeout() -> [Key] { [] }
}

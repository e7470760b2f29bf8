@testable import Terminal

/// The keys that `text` gives when it comes at once and nothing follows in time.
func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

func keys(_ bytes: [UInt8]) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.feed(bytes) + settle(&decoder)
}

/// Lets all the time pass that a decoder may wait for.
func settle(_ decoder: inout KeyDecoder) -> [Key] {
    var keys: [Key] = []
    while decoder.hasPending { keys += decoder.timeout() }
    return keys
}

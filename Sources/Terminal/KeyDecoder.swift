/// Turns the bytes that a terminal sends into keys. A pure value: no clock, no file.
///
/// Feed it the bytes of each read, however they are split. Then check ``hasPending``, and call
/// ``timeout()`` when nothing more arrives in time: only then is a lone ESC the Escape key.
///
/// ```swift
/// var decoder = KeyDecoder()
/// decoder.feed([0x1b, 0x5b, 0x41])  // ↑
/// ```
///
/// - A slow line may deliver an ESC long before the rest of its sequence. Escape is then reported,
///   but a `[` or `O` that follows within a ``timeout()`` still begins a sequence, and neither is a
///   key: `ESC [` with nothing after it is dropped, and so is Alt with either character.
/// - A sequence without a meaning becomes one ``Key/Code/unknown``. Replies (OSC, DCS, APC, PM,
///   SOS) are dropped, even if they arrive in pieces. No letters of them run as keys.
/// - A mouse report in the SGR format becomes ``Key/Code/mouse(_:)`` if it has a meaning. Any other
///   is dropped, also those in the formats of old xterm and urxvt.
/// - Broken UTF-8 becomes U+FFFD.
/// - A bracketed paste becomes one ``Key/Code/paste(_:)``, once nothing has followed its end marker
///   for as long as ``timeout()`` waits. A pasted text may contain an end marker itself, and not
///   every terminal removes it (tmux 3.3 does not): the rest would run as keys. A paste arrives
///   without a pause, faster than anyone types, so the last marker before the pause is the end, and
///   earlier ones, of either kind, are text. Input after the last marker becomes keys after the
///   paste. Two pastes that a slow line delivers together, with keys between them, become one:
///   wrong, but visible and harmless. A paste with a pause after an end marker within it, because
///   it is very long or the line very slow, is not recognized.
/// - A paste without an end marker goes on until ``endPaste()``, which the user must request:
///   silence cannot distinguish a lost marker from a stalled line, and the rest would run as keys.
/// - A paste above the limit becomes one ``Key/Code/oversizedPaste(most:)``. None of it is kept, or
///   run as keys.
///
/// Memory is bounded by twice the limit of a paste.
public struct KeyDecoder: Sendable {
    private enum State: Sendable {
        case ground
        /// Within a code point of several bytes.
        case text
        /// One ESC, or the second of two, where the first one may mean Alt.
        case escape
        /// After an ESC that was reported as Escape because nothing followed in time.
        case afterEscape
        case csi
        /// After `CSI [`.
        case linuxConsole
        case ss3
        /// Within a reply that began with this byte; nothing of it is kept.
        case reply(introducer: UInt8, isEmpty: Bool)
        /// An ESC within a reply: its end, or the beginning of something else.
        case replyEscape
        /// Within an old report of the mouse: three bytes after `CSI M`.
        case mouse(missing: Int)
        case paste(PasteCollector)
    }

    /// Longer ones have no meaning; the rest is not kept.
    private static let maximumParameters = 64

    private let pasteLimit: Int
    private var state = State.ground
    private var assembler = UTF8Assembler()
    private var parameters: [UInt8] = []
    private var hasIntermediate = false
    /// An ESC came before the sequence or character: Alt.
    private var isAlt = false
    /// A timeout has passed since the last byte.
    private var isStale = false

    /// A decoder that takes pastes of up to `pasteLimit` bytes, 16 MB.
    public init(pasteLimit: Int = 16 << 20) { self.pasteLimit = pasteLimit }

    /// Whether something has begun that a ``timeout()`` would end. A paste without an end marker is
    /// not: the rest of it would run as keys. See ``isInPaste``.
    public var hasPending: Bool {
        switch state {
        case .ground: false
        case .paste(let collector): collector.hasEnd
        default: true
        }
    }

    /// True if a paste has begun without an end marker yet. Only ``endPaste()`` ends it then.
    public var isInPaste: Bool {
        if case .paste(let collector) = state { !collector.hasEnd } else { false }
    }

    /// Whether a paste only waits for the ``timeout()``, and everything after it with it.
    var holdsPaste: Bool {
        if case .paste(let collector) = state { collector.hasEnd } else { false }
    }

    /// Takes bytes in the order in which they were read, and returns the keys that they complete.
    public mutating func feed(_ bytes: some Collection<UInt8>) -> [Key] {
        var keys: [Key] = []
        if case .afterEscape = state, Self.isRestOfReply(bytes) { state = .escape }
        for byte in bytes {
            isStale = false
            take(byte, &keys)
        }
        return keys
    }

    /// Whether the bytes are a reply of the terminal without its ESC: a whole one, or the beginning
    /// of one that terminals send. Typed keys come one by one.
    ///
    /// Such replies are in xterm's `ctlseqs` (DCS `>|`, `1+r`, `1$r`, `!|`; OSC with a number) and
    /// in kitty's graphics protocol (APC `G`).
    private static func isRestOfReply(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, replyIntroducers.contains(first) else { return false }
        switch (first, bytes.dropFirst().first) {
        case (0x50, let next?) where "0123456789>!$+=?".utf8.contains(next): return true
        case (0x5d, let next?) where 0x30...0x39 ~= next: return true
        case (0x5f, 0x47): return true
        default: break
        }
        return bytes.contains(0x07) || zip(bytes, bytes.dropFirst()).contains { $0 == (0x1b, 0x5c) }
    }

    /// Those of DCS, SOS, OSC, PM and APC (ECMA-48).
    private static let replyIntroducers: [UInt8] = [0x50, 0x58, 0x5d, 0x5e, 0x5f]

    /// Call it when nothing more came within the time that may separate the parts of a sequence.
    /// Returns the keys that this decides: ESC is Escape, and the last end marker of a paste is its
    /// end.
    ///
    /// A longer sequence was cut by a slow line, not typed: the first call keeps it, the second
    /// returns it as unknown. Call again while ``hasPending``, after a longer wait.
    public mutating func timeout() -> [Key] {
        var keys: [Key] = []
        switch state {
        case .ground: return []
        case .paste:
            // The pause also counts for the input after the paste.
            return holdsPaste ? settlePaste() + timeout() : []
        case .escape:
            if isAlt { keys.append(Key(.escape)) }
            backToGround()
            state = .afterEscape
            return keys + [Key(.escape)]
        case .afterEscape: break
        default:
            guard isStale else {
                isStale = true
                return []
            }
            switch state {
            case .text: keys.append(Key(.character("\u{fffd}"), isAlt ? .alt : []))
            case .reply(let introducer, isEmpty: true): keys = altKeys(Unicode.Scalar(introducer))
            case .replyEscape: keys.append(Key(.escape))
            default: keys.append(Key(.unknown))
            }
        }
        backToGround()
        return keys
    }

    /// Ends a paste that waits only for a pause, and returns it with the keys after it.
    mutating func settlePaste() -> [Key] {
        guard case .paste(let collector) = state, collector.hasEnd else { return [] }
        let (key, rest) = collector.settled()
        backToGround()
        return [key] + feed(rest)
    }

    /// Ends a paste without an end marker, and returns all of it as one key.
    public mutating func endPaste() -> [Key] {
        guard isInPaste, case .paste(let collector) = state else { return [] }
        backToGround()
        return [collector.brokenOff()]
    }

    private func altKeys(_ scalar: Unicode.Scalar) -> [Key] {
        let key = Key(.character(Character(scalar)), .alt)
        return isAlt ? [Key(.escape), key] : [key]
    }

    private mutating func backToGround() {
        state = .ground
        assembler.reset()
        parameters.removeAll(keepingCapacity: true)
        hasIntermediate = false
        isAlt = false
        isStale = false
    }

    private mutating func emit(_ key: Key, _ keys: inout [Key]) {
        var key = key
        if isAlt, key.code != .unknown { key.modifiers.insert(.alt) }
        keys.append(key)
        backToGround()
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: takeGround(byte, &keys)
        case .text: takeText(byte, &keys)
        case .escape: takeEscape(byte, &keys)
        case .afterEscape where byte == 0x5b || byte == 0x4f: takeEscape(byte, &keys)
        case .afterEscape:
            backToGround()
            takeGround(byte, &keys)
        case .csi: takeCSI(byte, &keys)
        case .ss3: takeSS3(byte, &keys)
        case .linuxConsole:
            guard 0x20..<0x7f ~= byte else { return abandon(byte, &keys) }
            emit(KeySequence.linuxConsole(byte), &keys)
        case .reply(let introducer, _): takeReply(byte, introducer, &keys)
        case .replyEscape:
            backToGround()
            guard byte != 0x5c else { return }
            state = .escape
            takeEscape(byte, &keys)
        case .mouse(let missing):
            guard byte >= 0x20 else { return abandon(byte, &keys) }
            if missing > 1 {
                state = .mouse(missing: missing - 1)
            } else {
                settleEscape(&keys)
                backToGround()
            }
        case .paste(var collector):
            // The state must not hold a second reference while the collector grows.
            state = .ground
            collector.take(byte)
            state = .paste(collector)
        }
    }

    private mutating func takeGround(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x1b: state = .escape
        case 0x20..<0x7f: emit(Key(.character(Character(Unicode.Scalar(byte)))), &keys)
        case 0x80...: takeText(byte, &keys)
        default: emit(KeySequence.control(byte), &keys)
        }
    }

    private mutating func takeText(_ byte: UInt8, _ keys: inout [Key]) {
        switch assembler.take(byte) {
        case .pending: state = .text
        case .scalar(let scalar): emit(Key(.character(Character(scalar))), &keys)
        case .broken: emit(Key(.character("\u{fffd}")), &keys)
        case .brokenBefore:
            emit(Key(.character("\u{fffd}")), &keys)
            takeGround(byte, &keys)
        }
    }

    private mutating func takeEscape(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x1b:
            if isAlt { keys.append(Key(.escape)) }
            isAlt = true
        case 0x5b: state = .csi
        case 0x4f: state = .ss3
        case _ where Self.replyIntroducers.contains(byte):
            state = .reply(introducer: byte, isEmpty: true)
        default:
            // Of two ESC the first was a key, unless a sequence of rxvt follows.
            if isAlt { keys.append(Key(.escape)) }
            isAlt = true
            state = .ground
            takeGround(byte, &keys)
        }
    }

    private mutating func takeCSI(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x5b where parameters.isEmpty && !hasIntermediate: state = .linuxConsole
        case 0x4d where parameters.isEmpty && !hasIntermediate: state = .mouse(missing: 3)
        // rxvt ends shifted keys with a byte that elsewhere precedes a final one: `CSI 3 $`.
        case 0x24 where !parameters.isEmpty && parameters.allSatisfy { 0x30...0x39 ~= $0 }:
            finishCSI(byte, &keys)
        case 0x30...0x3f:
            if parameters.count < Self.maximumParameters { parameters.append(byte) }
        case 0x20...0x2f: hasIntermediate = true
        case 0x40...0x7e: finishCSI(byte, &keys)
        default: abandon(byte, &keys)
        }
    }

    private mutating func finishCSI(_ final: UInt8, _ keys: inout [Key]) {
        if final == 0x7e, parameters == [0x32, 0x30, 0x30] {
            backToGround()
            state = .paste(PasteCollector(limit: pasteLimit))
        } else if hasIntermediate {
            emit(Key(.unknown), &keys)
        } else if let key = KeySequence.csi(parameters: parameters, final: final) {
            if case .mouse = key.code { settleEscape(&keys) }
            emit(key, &keys)
        } else {
            settleEscape(&keys)
            backToGround()
        }
    }

    /// Mouse reports are never typed: an ESC before one was a key, not Alt.
    private mutating func settleEscape(_ keys: inout [Key]) {
        if isAlt { keys.append(Key(.escape)) }
        isAlt = false
    }

    private mutating func takeSS3(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x30...0x3b:
            if parameters.count < Self.maximumParameters { parameters.append(byte) }
        case 0x20...0x7e:
            emit(KeySequence.ss3(parameters: parameters, final: byte), &keys)
        default: abandon(byte, &keys)
        }
    }

    private mutating func takeReply(_ byte: UInt8, _ introducer: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x07: backToGround()
        case 0x1b: state = .replyEscape
        case 0x20...: state = .reply(introducer: introducer, isEmpty: false)
        // No reply holds other control bytes: the user is typing after one that never ended.
        default: abandon(byte, &keys)
        }
    }

    /// Ends a sequence that cannot hold `byte`, and takes `byte` by itself, unless it means cancel.
    private mutating func abandon(_ byte: UInt8, _ keys: inout [Key]) {
        backToGround()
        keys.append(Key(.unknown))
        guard byte != 0x18, byte != 0x1a else { return }
        takeGround(byte, &keys)
    }
}

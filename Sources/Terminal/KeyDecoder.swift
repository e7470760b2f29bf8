/// A decoder that converts the bytes from a terminal to keys. It is a pure value: it has no clock
/// and reads no file.
///
/// Feed it the bytes that were read, however they were split. Then check ``hasPending``, and call
/// ``timeout()`` if no more bytes arrive in time. Only then does a lone ESC count as the Escape
/// key.
///
/// ```swift
/// var decoder = KeyDecoder()
/// decoder.feed([0x1b, 0x5b, 0x41])  // ↑
/// ```
///
/// - A slow line may deliver an ESC long before the rest of its sequence. Escape is then reported,
///   but a `[` or `O` that follows within a ``timeout()`` still begins a sequence, and is not a
///   key. If nothing follows it, the sequence is reported as unknown. So are Alt-[ and Alt-O, which
///   consist of the same bytes.
/// - A sequence without a meaning is reported as one ``Key/Code/unknown``. Replies (OSC, DCS, APC,
///   PM, SOS) are dropped, even if they arrive in pieces. Their letters never act as keys.
/// - A mouse report is returned as ``Key/Code/mouse(_:)`` if it has the SGR form and a meaning
///   here. All others are dropped, including those in the older forms of xterm and urxvt.
/// - Malformed UTF-8 is returned as U+FFFD.
/// - A bracketed paste is returned as one ``Key/Code/paste(_:)`` when no bytes have followed its
///   end marker for the time of a ``timeout()``. A pasted text may contain an end marker itself,
///   and not every terminal removes it (tmux 3.3 does not), so the rest would act as keys. A paste
///   arrives without a pause, faster than anyone types. So the last marker before the pause is the
///   end. Earlier start and end markers are text. Input typed after the last marker is returned as
///   keys after the paste. If a slow line delivers two pastes together, with keys between them,
///   they become one paste, which is wrong but visible and harmless. If a very long paste or a very
///   slow line causes a pause after an end marker within the text, the decoder takes that marker
///   for the end of the paste.
/// - A paste without an end marker continues until ``endPaste()``, which is the user's decision.
///   Silence cannot distinguish a lost marker from a stalled line, and the rest would act as keys.
/// - A paste above the limit is returned as one ``Key/Code/oversizedPaste(most:)``. Its bytes are
///   discarded and never act as keys.
///
/// Memory is bounded by twice the limit of a paste.
package struct KeyDecoder: Sendable {
    private enum State: Sendable {
        case ground
        /// Within a code point of more than one byte.
        case text
        /// After one ESC, or after two, where the first may mean Alt.
        case escape
        /// After an ESC that was reported as Escape because no byte followed in time.
        case afterEscape
        case csi
        /// After `CSI [`.
        case linuxConsole
        case ss3
        /// Within a reply that began with this byte. Its content is discarded.
        case reply(introducer: UInt8, isEmpty: Bool)
        /// After an ESC within a reply, which ends the reply or begins another sequence.
        case replyEscape
        /// Within a mouse report in xterm's older form: three bytes after `CSI M`.
        case mouse(missing: Int)
        case paste(PasteCollector)
    }

    /// The maximum number of parameter bytes kept. Longer sequences have no meaning.
    private static let maximumParameters = 64

    private let pasteLimit: Int
    private var state = State.ground
    private var assembler = UTF8Assembler()
    private var parameters: [UInt8] = []
    private var hasIntermediate = false
    /// True if an ESC preceded the sequence or character, which means Alt.
    private var isAlt = false
    /// True if a timeout has passed since the last byte.
    private var isStale = false

    /// Creates a decoder that accepts pastes of up to `pasteLimit` bytes, by default 16 MiB.
    package init(pasteLimit: Int = 16 << 20) { self.pasteLimit = pasteLimit }

    /// A Boolean value that indicates whether input is pending that a ``timeout()`` would end. It
    /// is false in a paste without an end marker, since the rest of the paste would act as keys.
    /// See ``isInPaste``.
    package var hasPending: Bool {
        switch state {
        case .ground: false
        case .paste(let collector): collector.hasEnd
        default: true
        }
    }

    /// A Boolean value that indicates whether a paste has begun and its end marker has not arrived.
    /// Only ``endPaste()`` ends such a paste.
    package var isInPaste: Bool {
        if case .paste(let collector) = state { !collector.hasEnd } else { false }
    }

    /// A Boolean value that indicates whether a paste, and all input after it, waits only for the
    /// ``timeout()``.
    var holdsPaste: Bool {
        if case .paste(let collector) = state { collector.hasEnd } else { false }
    }

    /// Decodes bytes in the order in which they were read, and returns the keys that they complete.
    package mutating func feed(_ bytes: some Collection<UInt8>) -> [Key] {
        var keys: [Key] = []
        if case .afterEscape = state, Self.isRestOfReply(bytes) { state = .escape }
        for byte in bytes {
            isStale = false
            take(byte, &keys)
        }
        return keys
    }

    /// Returns true if the bytes are a terminal's reply without its ESC: a complete one, or the
    /// beginning of one that terminals send. Typed keys arrive one by one.
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

    /// The second bytes of DCS, SOS, OSC, PM and APC (ECMA-48).
    private static let replyIntroducers: [UInt8] = [0x50, 0x58, 0x5d, 0x5e, 0x5f]

    /// Ends pending input, and returns the resulting keys. Call it if no byte arrived within the
    /// time that may separate the parts of a sequence. A pending ESC then becomes Escape, and the
    /// last end marker of a paste becomes its end.
    ///
    /// A longer pending sequence was not typed: a slow line has split it. The first call keeps it,
    /// and the second returns it as unknown. Call again while ``hasPending``, after a longer wait.
    package mutating func timeout() -> [Key] {
        var keys: [Key] = []
        switch state {
        case .ground: return []
        case .paste:
            // The pause also applies to the input after the paste.
            return holdsPaste ? finishPaste() + timeout() : []
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
    mutating func finishPaste() -> [Key] {
        guard case .paste(let collector) = state, collector.hasEnd else { return [] }
        let (key, rest) = collector.settled()
        backToGround()
        return [key] + feed(rest)
    }

    /// Ends a paste without an end marker, and returns it as one key.
    package mutating func endPaste() -> [Key] {
        guard isInPaste, case .paste(let collector) = state else { return [] }
        backToGround()
        return [collector.unterminatedPaste()]
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
            // The first of two ESC was a key, unless an rxvt sequence follows.
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
        // rxvt ends shifted keys with `$`, which in other terminals precedes a final byte: `CSI 3
        // $`.
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

    /// Reports a pending ESC as Escape before a mouse report, since mouse reports have no Alt
    /// prefix.
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
        // Replies contain no other control bytes, so the user is typing after an unterminated
        // reply.
        default: abandon(byte, &keys)
        }
    }

    /// Ends a sequence that cannot contain `byte`, and decodes `byte` by itself, unless it is CAN
    /// or SUB, which cancel a sequence.
    private mutating func abandon(_ byte: UInt8, _ keys: inout [Key]) {
        backToGround()
        keys.append(Key(.unknown))
        guard byte != 0x18, byte != 0x1a else { return }
        takeGround(byte, &keys)
    }
}

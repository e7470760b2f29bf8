import Testing

@testable import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pipe in the place of a terminal, and the keys that come out of it.
@MainActor
private final class Line {
    let input: TerminalInput
    let keys: AsyncStream<[Key]>
    let hangups: AsyncStream<Void>
    /// The names of the keys and "hangup", in the order in which they were told.
    private(set) var told: [String] = []
    private let reader: Int32
    private var writer: Int32

    init(escapeDelay: Int = 1, pasteIdleTime: Int = 1_000) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        reader = ends[0]
        writer = ends[1]
        input = TerminalInput(
            descriptor: reader, escapeDelay: escapeDelay, pasteIdleTime: pasteIdleTime)
        let (keys, keySink) = AsyncStream<[Key]>.makeStream()
        let (hangups, hangupSink) = AsyncStream<Void>.makeStream()
        self.keys = keys
        self.hangups = hangups
        input.onKeys = { [weak self] keys in
            self?.told += keys.map(\.description)
            keySink.yield(keys)
        }
        input.onHangup = { [weak self] in
            self?.told.append("hangup")
            hangupSink.yield()
        }
    }

    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(write(writer, bytes, bytes.count) == bytes.count)
    }

    /// Reads the next byte, or returns nil if there is none.
    func takeByte() -> UInt8? {
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&entry, 1, 0) == 1, read(reader, &byte, 1) == 1 else { return nil }
        return byte
    }

    func hangUp() {
        close(writer)
        writer = -1
    }

    /// The keys up to and including `last`, however they were batched.
    func keys(upTo last: Key) async -> [Key] {
        var result: [Key] = []
        for await batch in keys {
            result += batch
            if batch.contains(last) { break }
        }
        return result
    }

    isolated deinit {
        input.pause()
        if writer >= 0 { close(writer) }
        close(reader)
    }
}

@MainActor
@Suite struct TerminalInputTests {
    @Test("what was typed before the program looked comes in one batch")
    func batch() async throws {
        let line = try Line()
        try line.type("jk\u{1b}[A")
        line.input.start()
        var batches = line.keys.makeAsyncIterator()
        #expect(await batches.next() == ["j", "k", "Up"])
    }

    @Test("a lone ESC becomes Escape without another key")
    func escape() async throws {
        let line = try Line()
        line.input.start()
        try line.type("\u{1b}")
        #expect(await line.keys(upTo: "Esc") == ["Esc"])
    }

    @Test("a sequence and the start of a paste that come in pieces are no keys")
    func pieces() async throws {
        let line = try Line()
        line.input.start()
        try line.type("\u{1b}")
        #expect(await line.keys(upTo: "Esc") == ["Esc"])
        try line.type("[")
        try await Task.sleep(for: .milliseconds(30))
        try line.type("A")
        #expect(await line.keys(upTo: "Up") == ["Up"])
        try line.type("\u{1b}[2")
        try await Task.sleep(for: .milliseconds(30))
        try line.type("00~dd\u{1b}[201~")
        #expect(await line.keys(upTo: Key(.paste("dd"))).count == 1)
    }

    @Test("a paused input leaves the bytes to others and goes on afterwards")
    func pause() async throws {
        let line = try Line()
        line.input.start()
        try line.type("a")
        #expect(await line.keys(upTo: "a") == ["a"])
        line.input.pause()
        try line.type("b")
        try await Task.sleep(for: .milliseconds(30))
        #expect(line.takeByte() == UInt8(ascii: "b"))
        try line.type("c")
        line.input.start()
        #expect(await line.keys(upTo: "c") == ["c"])
    }

    @Test("what follows the end of a paste without a pause, another end included, is no key")
    func pasteWithEndMarker() async throws {
        let line = try Line(escapeDelay: 50)
        line.input.start()
        try line.type("\u{1b}[200~a\u{1b}[201~dd")
        try line.type("\r\u{1b}[201~")
        #expect(await line.keys(upTo: Key(.paste("a\u{1b}[201~dd\n"))).count == 1)
        try line.type("j")
        #expect(await line.keys(upTo: "j") == ["j"])
    }

    @Test("a paste before a hangup is not lost, and a cut sequence is no Escape")
    func pasteBeforeHangup() async throws {
        let line = try Line(escapeDelay: 1_000)
        try line.type("\u{1b}[200~a\u{1b}[201~j\u{1b}")
        line.hangUp()
        line.input.start()
        #expect(await line.keys(upTo: "j") == [Key(.paste("a")), "j"])
        var hangups = line.hangups.makeAsyncIterator()
        #expect(await hangups.next() != nil)
    }

    @Test("a paste whose end never comes is told after a silence, and a Ctrl-C alone ends it")
    func pasteWithoutEnd() async throws {
        let line = try Line(pasteIdleTime: 20)
        line.input.start()
        try line.type("\u{1b}[200~two")
        #expect(await line.keys(upTo: Key(.unterminatedPaste)).count == 1)
        try line.type("\r\u{3}lines")
        #expect(await line.keys(upTo: Key(.unterminatedPaste)).count == 1)
        try line.type("\u{3}")
        #expect(await line.keys(upTo: Key(.paste("two\n\u{3}lines"))).count == 1)
        try line.type("j")
        #expect(await line.keys(upTo: "j") == ["j"])
    }

    @Test("a hangup is told once, behind the last keys")
    func hangup() async throws {
        let line = try Line()
        try line.type("q")
        line.hangUp()
        line.input.start()
        var hangups = line.hangups.makeAsyncIterator()
        #expect(await hangups.next() != nil)
        line.input.start()
        try await Task.sleep(for: .milliseconds(30))
        #expect(line.told == ["q", "hangup"])
    }

    @Test("the descriptor's flags stay as they were: the shell shares them")
    func flags() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let before = fcntl(ends[0], F_GETFL)
        let input = TerminalInput(descriptor: ends[0])
        input.start()
        #expect(fcntl(ends[0], F_GETFL) == before)
        input.pause()
        #expect(fcntl(ends[0], F_GETFL) == before)
    }

    @Test("ESCDELAY is taken in milliseconds if it is a sensible number")
    func escapeDelay() {
        #expect(TerminalInput.escapeDelay(in: [:]) == 25)
        #expect(TerminalInput.escapeDelay(in: ["ESCDELAY": "100"]) == 100)
        #expect(TerminalInput.escapeDelay(in: ["ESCDELAY": "0"]) == 25)
        #expect(TerminalInput.escapeDelay(in: ["ESCDELAY": "soon"]) == 25)
    }
}

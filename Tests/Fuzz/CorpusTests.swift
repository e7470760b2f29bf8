import Foundation
import Testing

/// The seeds of fuzzing, its findings, and the inputs that reach most of the code.
///
/// `Corpus/TARGET` holds a file for each input that has a name of its own: seeds, and recent
/// findings of a fuzzer. `Corpus/TARGET.pack` holds the others, one per line: a name, a space, the
/// bytes in base64.
@Suite("The fuzzers' corpus")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Corpus")

    @Test("what must hold of any bytes holds of the corpus", arguments: FuzzTarget.allCases)
    func holds(target: FuzzTarget) throws {
        let inputs = try Self.files(of: target) + Self.packed(for: target)
        #expect(!inputs.isEmpty)
        for input in inputs {
            #expect(throws: Never.self, "\(input.name)") { try target.check(input.bytes) }
        }
    }

    private struct Input {
        var name: String
        var bytes: [UInt8]
    }

    private static func files(of target: FuzzTarget) throws -> [Input] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
        return try files.map {
            Input(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0)))
        }
    }

    private static func packed(for target: FuzzTarget) throws -> [Input] {
        let pack = folder.appendingPathComponent("\(target.rawValue).pack")
        // A target whose seeds reach all that is known has none.
        guard FileManager.default.fileExists(atPath: pack.path) else { return [] }
        return try String(contentsOf: pack, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            try #require(parts.count == 2, "\(pack.lastPathComponent): \(line)")
            let bytes = try #require(
                Data(base64Encoded: String(parts[1])), "\(pack.lastPathComponent): \(line)")
            return Input(name: String(parts[0]), bytes: Array(bytes))
        }
    }
}

import Foundation
import Testing

/// What fuzzing began with, what it found, and what reaches the most of the code.
@Suite("The fuzzers' corpus")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Corpus")

    @Test("what must hold of any bytes holds of the corpus", arguments: FuzzTarget.allCases)
    func holds(target: FuzzTarget) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appendingPathComponent(target.rawValue),
            includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.check(bytes) }
        }
    }
}

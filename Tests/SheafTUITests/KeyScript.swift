import Foundation
import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// One case of a `.keys` file: its title, and its lines with their numbers. `Scripts/README.md`
/// documents the format.
struct KeyScript: Sendable, CustomTestStringConvertible {
    struct Line: Sendable {
        var number: Int
        var word: String
        var value: String

        /// The parts of a list.
        var list: [String] { value.isEmpty ? [] : value.components(separatedBy: " | ") }
    }

    /// A line that cannot be read, or a wait that failed.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    var file: String
    var title: String
    var lines: [Line] = []

    var testDescription: String { "\(file): \(title)" }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Scripts")

    /// All cases of all files, in the order of the files' names.
    static func all() throws -> [KeyScript] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".keys") }
            .flatMap { name in
                try read(
                    String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8),
                    of: name)
            }
    }

    /// The cases of a file's text.
    static func read(_ text: String, of file: String) throws -> [KeyScript] {
        var scripts: [KeyScript] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("== ") {
                scripts.append(KeyScript(file: file, title: String(line.dropFirst(3))))
                continue
            }
            guard let colon = line.firstIndex(of: ":"), !scripts.isEmpty else {
                throw Failure(description: "\(file):\(index + 1): no case and no line of one")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            scripts[scripts.count - 1].lines.append(
                Line(number: index + 1, word: String(line[..<colon]), value: unescaped(value)))
        }
        return scripts
    }

    private static func unescaped(_ value: Substring) -> String {
        var value = value
        if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = value.dropFirst().dropLast()
        }
        return String(value).replacing("\\n", with: "\n").replacing("\\t", with: "\t")
            .replacing("\\e", with: "\u{1b}")
    }

    /// Runs the case. Each difference is recorded with its file and line, and the case goes on.
    @MainActor
    func run() async throws {
        var player = KeyScriptPlayer()
        for line in lines {
            do {
                if let difference = try await player.play(line) {
                    Issue.record("\(file):\(line.number): \(line.word): \(difference)")
                }
            } catch let failure as Failure {
                throw Failure(description: "\(file):\(line.number): \(failure)")
            }
        }
    }
}

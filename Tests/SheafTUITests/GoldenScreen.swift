import Foundation
import Terminal
import Testing

/// Compares a canvas with its recorded file, text and styles. `make golden` records all again, and
/// the diff shows the difference.
func expectGolden(
    _ canvas: Canvas, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden/\(name).txt")
    let drawn = canvas.goldenText
    if ProcessInfo.processInfo.environment["SHEAF_RECORD"] != nil {
        try Data(drawn.utf8).write(to: file)
        return
    }
    let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    guard drawn != recorded else { return }
    let difference = zip(
        recorded.split(separator: "\n", omittingEmptySubsequences: false),
        drawn.split(separator: "\n", omittingEmptySubsequences: false)
    )
    .filter { $0 != $1 }
    .prefix(12)
    .map { "- \($0)\n+ \($1)" }
    .joined(separator: "\n")
    Issue.record(
        "the screen differs from Golden/\(name).txt:\n\(difference)", sourceLocation: sourceLocation
    )
}

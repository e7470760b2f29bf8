/// A part of the program that reads input of others, with properties that hold for any bytes.
///
/// Each is a target of libFuzzer (`Tests/torture/fuzz`), and checks its corpus in every test run.
enum FuzzTarget: String, CaseIterable {
    case changes, display, json, keys, lines, line, lists, markdown, query, rows, store,
        todotxt, words

    /// - Throws: ``Broken`` if something does not hold. A crash is the other thing to look for.
    func check(_ bytes: [UInt8]) throws {
        switch self {
        case .changes: try JSONProperties.changes(bytes)
        case .display: try DisplayProperties.check(bytes)
        case .json: try JSONProperties.values(bytes)
        case .keys: try KeyProperties.check(bytes)
        case .lines: try FormatProperties.lines(bytes)
        case .line: try LineProperties.check(bytes)
        case .lists: try ListProperties.check(bytes)
        case .markdown: try FormatProperties.markdown(bytes)
        case .query: try QueryProperties.check(bytes)
        case .rows: try RowProperties.check(bytes)
        case .store: try FormatProperties.json(bytes)
        case .todotxt: try FormatProperties.todoTxt(bytes)
        case .words: try WordProperties.check(bytes)
        }
    }
}

/// The property that does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// - Throws: ``Broken`` with the description unless `condition` holds.
func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Broken(description: what()) }
}

/// - Throws: ``Broken`` unless both are the same bytes, which is more than Swift's `==`.
func expectSame(_ text: String, _ other: String, _ what: @autoclosure () -> String) throws {
    try expect(
        text.utf8.elementsEqual(other.utf8),
        "\(what()): \(text.debugDescription) is not \(other.debugDescription)")
}

/// How two values differ, by the lines of their dumps: `-` is missing, `+` is too much. Unchanged lines are left out.
public func difference<Value>(from expected: Value, to actual: Value) -> String {
    let old = lines(of: expected)
    let new = lines(of: actual)
    var result: [String] = []
    for change in new.difference(from: old) {
        switch change {
        case .remove(_, let line, _): result.append("- \(line)")
        case .insert(_, let line, _): result.append("+ \(line)")
        }
    }
    return result.isEmpty ? "(no difference in their dumps)" : result.joined(separator: "\n")
}

private func lines(of value: some Any) -> [Substring] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n")
}

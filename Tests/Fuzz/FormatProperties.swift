import Foundation
import SheafList
import SheafTestSupport

@testable import SheafFormats
@testable import SheafStorage

/// A file that is read, written and read again gives the same list.
enum FormatProperties {
    static func lines(_ bytes: [UInt8]) throws {
        let text = try ListText(bytes, .lines).text(.lines)
        let again = try ListText(text.utf8, .lines).text(.lines)
        // A name that is only a line break becomes white space, which is no item.
        if !text.utf8.split(separator: 0x0a).contains(where: isBlank) {
            try expectSame(again, text, "lines")
        }
    }

    private static func isBlank(_ line: Substring.UTF8View) -> Bool {
        String(Substring(line)).allSatisfy(\.isWhitespace)
    }

    static func markdown(_ bytes: [UInt8]) throws {
        let list = try ListText(bytes, .markdown)
        let text = try list.text(.markdown)
        let again = try ListText(text.utf8, .markdown)
        try expectSame(list, again, in: text)
        try expectSame(try again.text(.markdown), text, "a checklist")
        let skippedText = try ListFormat.markdown.parse(Data(text.utf8)).skippedText
        try expect(skippedText.isEmpty, "\(skippedText) in \(text.debugDescription)")
    }

    /// - An export of an import has the same bytes, except for lines without a task.
    /// - An edit of a task changes its line, and nothing else.
    static func todoTxt(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: 0x0a).filter { line in
            String(validating: line, as: UTF8.self).map(isTask) ?? false
        }
        let source = lines.flatMap { $0 + [0x0a] }
        var list = try ListText(source, .todotxt)
        let copy = try list.text(.todotxt)
        try expectSame(copy, String(decoding: source, as: UTF8.self), "a todo.txt")
        for index in list.items.indices {
            switch bytes[index % bytes.count] % 7 {
            case 0: list.items[index].name = list.items[list.items.count - 1 - index].name
            case 1: list.items[index].note = list.items[list.items.count - 1 - index].name
            case 2: list.items[index].doneAt = list.items[index].isDone ? nil : Fixtures.now
            case 3: list.items[index].tags = list.items[list.items.count - 1 - index].tags
            case 4: list.items[index].due = .last
            case 5:
                list.items[index].priority = .c
                list.items[index].repeat = Repeat("+1m")
            default: list.items[index].extras = list.items[index].extras.dropLast()
            }
        }
        let text = try list.text(.todotxt)
        try ListProperties.expectSameInTodoTxt(list, text)
    }

    private static func isTask(_ line: String) -> Bool {
        !line.utf8.starts(with: [UInt8].byteOrderMark)
            && line.utf8.contains { ![0x09, 0x0d, 0x20].contains($0) }
            && TodoTask(TodoLine(line)) != nil
    }

    /// An array of items, a list with its tags, and the list as a store.
    static func json(_ bytes: [UInt8]) throws {
        do {
            let list = try ListText(bytes, .json)
            let array = try list.text(.jsonList)
            try expectSame(list, try ListText(array.utf8, .json), in: array)
            let store = try list.text(.jsonStore)
            try expectSame(try ListText(store.utf8, .json).text(.jsonStore), store, "a store")
        } catch let error as FormatError {
            try DisplayProperties.expectHarmless(error.description)
        }
        do {
            let text = try WholeList(Data(bytes), at: "", modified: Fixtures.now).text()
            let again = try WholeList(Data(text), at: "", modified: Fixtures.now).text()
            let texts = [again, text].map { String(decoding: $0, as: UTF8.self) }
            try expectSame(texts[0], texts[1], "a store with ranks")
        } catch let error as StorageError {
            try DisplayProperties.expectHarmless(error.reason)
        }
    }
}

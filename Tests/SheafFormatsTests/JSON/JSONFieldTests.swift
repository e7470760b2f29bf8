import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Days and priorities in JSON")
struct JSONFieldTests {
    @Test(
        "are members, and what is none of them is kept",
        arguments: [
            (#""due": "2026-03-06""#, "2026-03-06", ""), (#""due": "soon""#, "-", "due=soon"),
            (#""due": 20260306"#, "-", "due=20260306"), (#""due": null"#, "-", ""),
            (#""due": {"a": [1]}"#, "-", #"due={"a":[1]}"#),
            (#""priority": 3"#, "-", "priority=3"), (#""priority": "AA""#, "-", "priority=AA"),
            (#""repeat": "0d", "scheduled": true"#, "-", "scheduled=true repeat=0d"),
            (#""extras": [["due", "2026-03-06"]]"#, "2026-03-06", ""),
            (#""extras": [["due", "x"], ["due", "2026-03-06"]]"#, "2026-03-06", "due=x"),
            (#""due": null, "extras": [["due", "2026-03-06"]]"#, "-", "due=2026-03-06"),
            (
                #""due": "2026-03-07", "extras": [["due", "2026-03-06"]]"#, "2026-03-07",
                "due=2026-03-06"
            ),
            (#""due": "x", "extras": [["a", "b"]]"#, "-", "a=b due=x"),
        ])
    func read(member: String, due: String, extras: String) throws {
        let text = "[{\"name\": \"a\", \(member)}]"
        let item = try #require(try RoundTrip.list(text, .json).items.first)
        #expect(item.due?.description ?? "-" == due)
        let spelled = item.extras.filter { $0.key != TodoTask.lineKey }
            .map { "\($0.key)=\($0.value.filter { $0 != " " })" }
        #expect(spelled.joined(separator: " ") == extras)
        let again = try RoundTrip.text(.jsonList, [item], tags: [])
        let copy = try #require(try RoundTrip.list(again, .json).items.first)
        #expect((copy.due, copy.extras.count) == (item.due, item.extras.count))
    }

    @Test("a newer store is refused with a sentence")
    func newer() {
        let version = JSONListReader.version + 1
        let text = #"{"format": "sheaf", "version": \#(version), "tags": [], "items": []}"#
        let error = #expect(throws: FormatError.self) {
            try JSONListReader.readStore(Data(text.utf8))
        }
        #expect(error?.kind == .newer)
    }
}

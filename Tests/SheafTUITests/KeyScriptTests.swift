import Foundation
import Testing

/// The key tests that are text: each case of `Scripts/*.keys` is one.
@MainActor
@Suite("Key scripts")
struct KeyScriptTests {
    @Test("keys lead to the state that their file says", arguments: try KeyScript.all())
    func plays(script: KeyScript) async throws {
        try await script.run()
    }

    @Test("an expectation that does not hold, an unknown word and a case without a list fail")
    func fails() async throws {
        for text in [
            "list: a\nkeys: x\ndone: b", "list: a\nrowz: a", "keys: x", "list: a\nno screen: a",
        ] {
            let script = try #require(try KeyScript.read("== x\n" + text, of: "x.keys").first)
            await withKnownIssue("\(text)") { try await script.run() }
        }
        #expect(throws: KeyScript.Failure.self) { try KeyScript.read("list: a", of: "x.keys") }
    }
}

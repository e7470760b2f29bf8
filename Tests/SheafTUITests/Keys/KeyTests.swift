import SheafList
import Terminal
import Testing

@testable import SheafTUI

@MainActor
@Suite("Keys")
struct KeyTests {
    @Test("every key of the table has a name that the decoder can deliver, once a context")
    func table() {
        var seen: Set<String> = []
        for binding in Keymap.standard.bindings {
            for keys in binding.keys {
                for label in keys {
                    #expect(Key(label)?.label == label, "\(label) of “\(binding.title)”")
                }
                for context in binding.contexts {
                    let isNew = seen.insert("\(context) \(keys)").inserted
                    #expect(isNew, "\(keys) twice in \(context)")
                }
            }
        }
    }

    @Test("the help has room for every key and title, in two columns of 120 too")
    func room() {
        for binding in Keymap.standard.bindings
        where !Set(binding.contexts).isDisjoint(with: Keymap.panes) {
            #expect(DisplayText.width(of: binding.label) <= 15, "\(binding.label)")
            #expect(DisplayText.width(of: binding.title) <= 38, "\(binding.title)")
        }
    }
}

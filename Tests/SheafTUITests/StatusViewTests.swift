import SheafTestSupport
import Terminal
import Testing

@testable import SheafCore
@testable import SheafTUI

/// What of the status line makes room for what.
@Suite("Status line")
struct StatusViewTests {
    private func line(_ toast: String, hint: String? = nil, columns: Int) -> String {
        var state = AppState(size: Size(columns: columns, rows: 5))
        state.saving.phase = .failing
        state.saving.pending = 3
        state.saving.failure = "disk full"
        state.ui.show(toast, hint: hint)
        let canvas = Screenful.canvas(
            of: state, at: Moment(wall: Fixtures.now, monotonic: .now))
        return canvas.row(4).map(\.text).joined()
    }

    private static let recovered =
        "Recovered 3 unsaved changes (1 also changed elsewhere) of an interrupted session"

    @Test("a message is read before the reason why nothing is saved")
    func toastBeforeReason() {
        let wide = line(Self.recovered, columns: 140)
        #expect(wide.contains("! NOT SAVED: disk full"))
        #expect(wide.contains(Self.recovered))
        let narrow = line(Self.recovered, columns: 110)
        #expect(narrow.contains("! NOT SAVED  "))
        #expect(narrow.contains(Self.recovered))
    }

    @Test("a message has its hint only beside the whole of it, unless it is cut all the same")
    func cut() {
        #expect(
            line(Self.recovered, columns: 80)
                .hasSuffix("   Recovered 3 unsaved changes (1 also changed elsewhere)… "))
        func deleted(columns: Int) -> String {
            line("Deleted “a rather long name”", hint: "u undo", columns: columns)
        }
        #expect(deleted(columns: 60).hasSuffix(" Deleted “a rather long name”   u undo "))
        #expect(deleted(columns: 52).hasSuffix("   Deleted “a rather long name” "))
        #expect(deleted(columns: 45).hasSuffix("   Deleted “a…   u undo "))
    }
}

import SheafCore
import SheafTUI
import SheafTestSupport
import Testing

@Suite("Ages")
struct MomentTests {
    private func age(_ milliseconds: Int64, at wall: Timestamp = Fixtures.now) -> String {
        Moment(wall: wall, monotonic: .now).age(of: Timestamp(milliseconds: milliseconds))
    }

    @Test("a time that another program wrote may be any number, and so may the clock's")
    func anyNumber() {
        #expect(age(.min) == "999y")
        #expect(age(.max) == "now")
        #expect(age(.min, at: Timestamp(milliseconds: .max)) == "999y")
        #expect(age(.max, at: Timestamp(milliseconds: .min)) == "now")
        #expect(age(Fixtures.now.milliseconds - 60_000) == "1min")
    }
}

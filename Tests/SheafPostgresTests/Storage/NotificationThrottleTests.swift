import Testing

@testable import SheafPostgres

@Suite("How news of commits are bundled")
struct NotificationThrottleTests {
    private let start = ContinuousClock.now
    private let interval = ThrottleTimer.interval

    @Test("what comes alone waits for nothing")
    func alone() {
        var pace = ThrottleTimer()
        #expect(pace.wait(at: start) == .zero)
        pace.passed(at: start)
        #expect(pace.wait(at: start + interval) == .zero)
    }

    @Test("what follows at once waits for the end of the interval")
    func following() {
        var pace = ThrottleTimer()
        _ = pace.wait(at: start)
        pace.passed(at: start)
        #expect(pace.wait(at: start + interval / 4) == interval * 3 / 4)
    }

    @Test("what comes while something waits goes with it")
    func waiting() {
        var pace = ThrottleTimer()
        _ = pace.wait(at: start)
        pace.passed(at: start)
        _ = pace.wait(at: start + interval / 4)
        #expect(pace.wait(at: start + interval / 2) == nil)
        pace.passed(at: start + interval)
        #expect(pace.wait(at: start + interval * 2) == .zero)
    }
}

import Testing

@testable import SheafPostgres

@Suite("How news of commits are bundled")
struct NotificationThrottleTests {
    private let start = ContinuousClock.now
    private let interval = ThrottleTimer.interval

    @Test("what comes alone waits for nothing")
    func alone() {
        var timer = ThrottleTimer()
        #expect(timer.delay(at: start) == .zero)
        timer.fired(at: start)
        #expect(timer.delay(at: start + interval) == .zero)
    }

    @Test("what follows at once waits for the end of the interval")
    func following() {
        var timer = ThrottleTimer()
        _ = timer.delay(at: start)
        timer.fired(at: start)
        #expect(timer.delay(at: start + interval / 4) == interval * 3 / 4)
    }

    @Test("what comes while something waits goes with it")
    func waiting() {
        var timer = ThrottleTimer()
        _ = timer.delay(at: start)
        timer.fired(at: start)
        _ = timer.delay(at: start + interval / 4)
        #expect(timer.delay(at: start + interval / 2) == nil)
        timer.fired(at: start + interval)
        #expect(timer.delay(at: start + interval * 2) == .zero)
    }
}

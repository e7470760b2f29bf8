import Dispatch
import Testing

@testable import SwiduxFiles

@Suite("Blocking calls")
struct BlockingCallsTests {
    private final class Resource: Sendable {}

    @Test("what a call used is gone by the time its result is known")
    func release() {
        weak var resource: Resource?
        let call = {
            let made = Resource()
            resource = made
            return BlockingCall { withExtendedLifetime(made) { 1 } }
        }()
        #expect(resource != nil)
        #expect(call.result() == 1)
        #expect(resource == nil)
        withExtendedLifetime(call) {}
    }

    @Test("a call runs on its queue and returns its result")
    func result() async {
        let queue = DispatchQueue(label: "calls")
        let result = await BlockingCalls.run(on: queue) {
            dispatchPrecondition(condition: .onQueue(queue))
            return 1
        }
        #expect(result == 1)
    }
}

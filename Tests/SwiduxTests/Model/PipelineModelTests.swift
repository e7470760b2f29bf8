import Foundation
import Swidux
import SwiduxTesting
import Testing

@MainActor
@Suite("Pipeline against a plain model")
struct PipelineModelTests {
    /// The number of scripts for each argument; their seeds follow each other. `make torture` runs
    /// all 100.
    private static let scripts =
        ProcessInfo.processInfo.environment["SHEAF_TORTURE"] == nil ? 10 : 100

    @Test(
        "after any edits, undos, failures, retries and crashes memory is what it should be, and the disk follows",
        arguments: 0..<20)
    func random(part: Int) async {
        for number in 0..<Self.scripts {
            let seed = UInt64(part * Self.scripts + number)
            var generator = SeededGenerator(seed: seed)
            let script = (0..<60).map { _ in ModelStep.random(using: &generator) }
            guard let failure = await ModelRun.failure(of: script) else { continue }
            let short = await ModelRun.shrunk(script)
            let reason = await ModelRun.failure(of: short) ?? failure
            Issue.record("seed \(seed): \(reason)\nscript: \(short)")
            return
        }
    }

    @Test("a script that fails is shrunk to the steps that it takes")
    func shrinking() async {
        var generator = SeededGenerator(seed: 1)
        let noise = (0..<30).map { _ in ModelStep.random(using: &generator) }
        let script = noise + [.sort] + noise + [.crash] + noise
        let short = await ModelRun.shrunk(script) { steps in
            guard let sort = steps.firstIndex(of: .sort) else { return false }
            return steps[sort...].contains(.crash)
        }
        #expect(short == [.sort, .crash])
    }
}

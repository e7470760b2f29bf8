import ArgumentParser
import SheafList
import SheafStorage

/// Options that make writes slow or fail on purpose, so that users can see that no change is lost.
struct WriteFaults: ParsableArguments {
    @Option(
        name: .customLong("slow-writes"),
        help: ArgumentHelp(
            "Delay each write by this time, such as 500ms or 2s.", valueName: "time"),
        transform: Self.duration)
    var delay: Duration?

    @Option(
        name: .customLong("fail-writes"),
        help: ArgumentHelp(
            "Let this fraction of writes fail, from 0 to 1, such as 0.3.", valueName: "part"),
        transform: Self.probability)
    var probability: Double?

    /// Returns `storage` with the requested faults.
    func applied(to storage: any ListStorage) -> any ListStorage {
        guard delay != nil || probability != nil else { return storage }
        return FaultyStorage(
            storage, delay: delay ?? .zero, failureProbability: probability ?? 0)
    }

    @Sendable
    private static func duration(_ text: String) throws -> Duration {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1)]
        guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }) else {
            throw ValidationError("a time needs a unit, ms or s, as in 500ms or 2s")
        }
        guard let number = Double(text.dropLast(unit.count)), (0...3600).contains(number * seconds)
        else { throw ValidationError("a time is a number with its unit, as in 500ms, up to 3600s") }
        return .seconds(number * seconds)
    }

    @Sendable
    private static func probability(_ text: String) throws -> Double {
        guard let number = Double(text), (0...1).contains(number) else {
            throw ValidationError("it takes a number from 0 (never) to 1 (always)")
        }
        return number
    }
}

import Foundation
import Testing

/// A program that some tests need and that not every machine has.
///
/// A test that needs a missing program is skipped, and `make test` counts such tests. `make ci`
/// sets `SHEAF_REQUIRE_TOOLS`: then the test runs and fails.
package enum Tool: String, Sendable {
    /// The server of PostgreSQL with its programs, and openssl for its certificate.
    case postgresql = "PostgreSQL"
    /// The system's tracer, with the right to trace processes.
    case strace
    /// The program that converts the files of other programs.
    case jq

    private static let isRequired =
        ProcessInfo.processInfo.environment["SHEAF_REQUIRE_TOOLS"] != nil
    private static let hasServer =
        PostgresServer.binaries != nil && succeeds("openssl", "version") && succeeds("psql", "-V")
    private static let hasJQ = succeeds("jq", "--version")
    private static let canTrace = succeeds("strace", "-o", "/dev/null", "true")

    /// True if a test that needs the program has to run.
    package var isExpected: Bool {
        switch self {
        case .postgresql: Self.isRequired || Self.hasServer
        case .strace: Self.isRequired || Self.canTrace
        case .jq: Self.isRequired || Self.hasJQ
        }
    }

    /// Skips the current test if the program is missing.
    package func require() throws {
        guard !isExpected else { return }
        try Test.cancel("needs \(rawValue)")
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if `tool` is missing.
    package static func needs(_ tool: Tool) -> ConditionTrait {
        .enabled(if: tool.isExpected, "needs \(tool.rawValue)")
    }
}

// Exported, because `#_sourceLocation` is expanded in the files that call these functions.
@_exported import Testing

/// A function that records a failure of a test. It receives a sentence that describes the failure,
/// and the place in the test.
///
/// By default failures are issues of Swift Testing. For another library, pass a function that calls
/// it. May be called from any thread.
public typealias FailureHandler = @Sendable (_ message: String, SourceLocation) -> Void

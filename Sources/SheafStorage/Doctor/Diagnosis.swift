import SheafCore

/// What an examination of a list found.
public struct Diagnosis: Sendable, Equatable {
    /// How bad a finding is.
    public enum Severity: Int, Sendable, Comparable, CaseIterable {
        case fine, note, warning, damage

        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// One finding.
    public struct Finding: Sendable, Equatable {
        public var severity: Severity
        /// What was found, without a full stop.
        public var text: String
        /// What to do about it, as a sentence, or nil.
        public var advice: String?
        /// What it consists of, a line for each part.
        public var details: [String]

        public init(
            severity: Severity, text: String, advice: String? = nil, details: [String] = []
        ) {
            self.severity = severity
            self.text = text
            self.advice = advice
            self.details = details
        }
    }

    /// All findings, in the order of the examination.
    public internal(set) var findings: [Finding] = []
    /// Why the list would be refused, or nil if it would open.
    public internal(set) var refusal: StorageError.Code?

    /// The worst of the findings.
    public var severity: Severity { findings.map(\.severity).max() ?? .fine }

    mutating func add(
        _ severity: Severity, _ text: String, advice: String? = nil, details: [String] = []
    ) {
        findings.append(
            Finding(severity: severity, text: text, advice: advice, details: details))
    }

    /// Adds how much the list holds.
    mutating func addCounts(items: Int, tags: Int, views: Int) {
        add(.fine, "\(items) items, \(tags) tags" + (views > 0 ? ", \(views) views" : ""))
    }

    /// Adds a finding.
    mutating func add(_ part: Diagnosis) {
        refusal = refusal ?? part.refusal
        findings += part.findings
    }

    /// Adds `error` as damage.
    mutating func add(_ error: any Error) {
        let error = StorageError(error, at: "")
        refusal = refusal ?? error.code
        add(.damage, error.reason, advice: error.advice)
    }
}

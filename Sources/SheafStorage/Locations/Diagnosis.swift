import SheafList

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
    public private(set) var findings: [Finding] = []
    /// Why the list would be refused, or nil if it would open.
    public var refusal: StorageError.Code?

    public init() {}

    /// The worst of the findings.
    public var severity: Severity { findings.map(\.severity).max() ?? .fine }

    /// Adds a finding.
    public mutating func add(
        _ severity: Severity, _ text: String, advice: String? = nil, details: [String] = []
    ) {
        findings.append(
            Finding(severity: severity, text: text, advice: advice, details: details))
    }

    /// Adds how much the list holds.
    public mutating func addCounts(items: Int, tags: Int, views: Int) {
        func counted(_ count: Int, _ noun: String) -> String {
            "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        add(
            .fine,
            "\(counted(items, "item")), \(counted(tags, "tag"))"
                + (views > 0 ? ", \(counted(views, "view"))" : ""))
    }

    /// Adds what another examination found.
    public mutating func add(_ part: Diagnosis) {
        refusal = refusal ?? part.refusal
        findings += part.findings
    }

    /// Adds `error` as damage, and as what the list would be refused for.
    public mutating func add(_ error: any Error) {
        let error = StorageError(error, at: "")
        refusal = refusal ?? error.code
        add(.damage, error.reason, advice: error.advice)
    }
}

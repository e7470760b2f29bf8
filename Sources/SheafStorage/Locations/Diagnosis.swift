import SheafList

/// The findings of an examination of a list.
package struct Diagnosis: Sendable, Equatable {
    /// The severity of a finding.
    package enum Severity: Int, Sendable, Comparable, CaseIterable {
        case fine, note, warning, damage

        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// One finding.
    package struct Finding: Sendable, Equatable {
        package var severity: Severity
        /// A description of the finding, without a full stop.
        package var text: String
        /// Advice for the user, as a sentence, or nil.
        package var advice: String?
        /// The parts of the finding, one line for each.
        package var details: [String]

        package init(
            severity: Severity, text: String, advice: String? = nil, details: [String] = []
        ) {
            self.severity = severity
            self.text = text
            self.advice = advice
            self.details = details
        }
    }

    /// All findings, in the order of the examination.
    package private(set) var findings: [Finding] = []
    /// The code of the error with which the list would refuse to open, or nil if it would open.
    package var refusal: StorageError.Code?

    package init() {}

    /// The highest severity of all findings.
    package var severity: Severity { findings.map(\.severity).max() ?? .fine }

    /// Adds a finding.
    package mutating func add(
        _ severity: Severity, _ text: String, advice: String? = nil, details: [String] = []
    ) {
        findings.append(
            Finding(severity: severity, text: text, advice: advice, details: details))
    }

    /// Adds the numbers of items, tags and views in the list.
    package mutating func addCounts(items: Int, tags: Int, views: Int) {
        func counted(_ count: Int, _ noun: String) -> String {
            "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        add(
            .fine,
            "\(counted(items, "item")), \(counted(tags, "tag"))"
                + (views > 0 ? ", \(counted(views, "view"))" : ""))
    }

    /// Adds the findings of another examination.
    package mutating func add(_ part: Diagnosis) {
        refusal = refusal ?? part.refusal
        findings += part.findings
    }

    /// Adds `error` as damage. The first such error is also the reason why the list would not open.
    package mutating func add(_ error: any Error) {
        let error = StorageError(error, at: "")
        refusal = refusal ?? error.code
        add(.damage, error.reason, advice: error.advice)
    }
}

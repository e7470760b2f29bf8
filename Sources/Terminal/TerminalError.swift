/// The reason why the screen cannot be opened.
package struct TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Equatable {
        /// Standard input or output is a file or a pipe, or is closed.
        case notATerminal
        /// `TERM` is unset or empty.
        case noTerminalType
        /// `TERM` names a terminal that the terminfo database does not have.
        case unknownTerminalType
        /// The terminal cannot place its cursor.
        case incapableTerminal
        /// A system call failed.
        case io
    }

    package var code: Code
    /// One line for the user that states the problem and the solution.
    package var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

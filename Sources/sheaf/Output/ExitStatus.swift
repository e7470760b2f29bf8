import SheafList
import SheafStorage
import Terminal

/// The exit statuses of the program. Scripts can rely on their numbers, which are those of
/// sysexits.h.
enum ExitStatus: Int32 {
    case failure = 1
    case usage = 64
    case badInput = 65
    case noInput = 66
    case cannotCreate = 73
    case io = 74
    case tryAgain = 75

    /// Returns the status and the sentence for `error`, or `nil` if it is an error of the argument
    /// parser.
    static func statusAndSentence(for error: any Error) -> (ExitStatus, String)? {
        switch error {
        case let error as CommandFailure: (error.status, error.description)
        case let error as StorageError:
            (error.isOutcomeUnknown ? .io : ExitStatus(error.code), error.description)
        case let error as StoreURLError: (.usage, error.description)
        case let error as TagEditError: (.failure, sentence(error))
        case let error as TerminalError:
            (error.code == .io ? .io : .failure, error.description)
        default: nil
        }
    }

    private static func sentence(_ error: TagEditError) -> String {
        if case .nameTaken(let tag) = error {
            "A tag \(quoted(tag.name)) already exists; 'sheaf tag merge' joins the two."
                + " Nothing was changed."
        } else {
            "\(error.reason). Nothing was changed."
        }
    }

    /// Creates the status for a failure of storage while reading, or while writing to an open
    /// store.
    init(_ code: StorageError.Code) {
        self =
            switch code {
            case .usage: .usage
            case .notFound, .cannotOpen, .denied: .noInput
            case .foreign, .corrupt, .newer, .older: .badInput
            case .busy: .tryAgain
            case .readOnly, .full, .io, .injected: .io
            case .constraint: .failure
            }
    }
}

/// The reason why a command failed, for failures that no other module describes.
struct CommandFailure: Error, CustomStringConvertible {
    var status: ExitStatus
    /// A description of the failure, in words that can follow `sheaf: `.
    var description: String
    /// The lines below it, such as choices for the user.
    var details: [String]

    init(_ status: ExitStatus, _ description: String, details: [String] = []) {
        self.status = status
        self.description = description
        self.details = details
    }
}

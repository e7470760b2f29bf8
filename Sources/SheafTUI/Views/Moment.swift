import SheafCore

/// The time that a frame is drawn at: views have no clock of their own.
public struct Moment: Sendable {
    /// For ages.
    public var wall: Timestamp
    /// For countdowns.
    public var monotonic: ContinuousClock.Instant

    public init(wall: Timestamp, monotonic: ContinuousClock.Instant) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The present.
    public static var now: Moment { Moment(wall: .now, monotonic: .now) }

    /// How long ago `time` was, in at most five columns: `now`, `5min`, `3h`, `2d`, `6w`, `14mo`,
    /// `3y`.
    public func age(of time: Timestamp) -> String {
        let minutes = wall.milliseconds(since: time) / 60_000
        let days = minutes / (60 * 24)
        return switch minutes {
        case ..<1: "now"
        case ..<60: "\(minutes)min"
        case ..<(60 * 24): "\(minutes / 60)h"
        default:
            switch days {
            case ..<14: "\(days)d"
            case ..<70: "\(days / 7)w"
            case ..<730: "\(days / 30)mo"
            default: "\(min(days / 365, 999))y"
            }
        }
    }

    /// The seconds until `instant`, never less than none: `0.2 s`, `4 s`.
    func countdown(to instant: ContinuousClock.Instant) -> String {
        let left = max(monotonic.duration(to: instant), .zero)
        let tenths =
            left.components.seconds * 10 + left.components.attoseconds / 100_000_000_000_000_000
        return tenths < 30 ? "\(tenths / 10).\(tenths % 10) s" : "\((tenths + 9) / 10) s"
    }
}

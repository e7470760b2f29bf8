import Foundation
import SheafList

extension LocalCalendar {
    /// A world in which every day begins at midnight UTC.
    package static let utc = LocalCalendar { _ in 0 }

    /// The calendar of a time zone, by Foundation's rules for it, or `nil` if it has none.
    package static func zone(_ name: String) -> LocalCalendar? {
        TimeZone(identifier: name).map { zone in
            LocalCalendar {
                Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))))
            }
        }
    }
}

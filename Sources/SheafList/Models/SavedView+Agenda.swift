import FoundationEssentials
import Swidux

/// The view that a new list begins with.
extension SavedView {
    /// The open items with a due day.
    public static let agendaQuery = "is:open -due:none"

    /// Its id is the same in every list: two processes that make a list make one.
    public static let agenda = SavedView(
        id: UUID(uuid: (0x5e, 0xaf, 0xa6, 0xed, 0xa0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)),
        name: "Agenda", query: agendaQuery, sort: .due, rank: .middle)
}

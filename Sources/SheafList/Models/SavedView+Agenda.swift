import FoundationEssentials
import Swidux

/// The view in every new list.
extension SavedView {
    /// The query for open items with a due day.
    package static let agendaQuery = "is:open -due:none"

    /// The agenda. Its id is the same in every list, so that two processes that create a list
    /// create one view.
    package static let agenda = SavedView(
        id: UUID(uuid: (0x5e, 0xaf, 0xa6, 0xed, 0xa0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)),
        name: "Agenda", query: agendaQuery, sort: .due, rank: .middle)
}

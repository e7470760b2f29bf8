/// What rows are to be shown, and in which order.
package struct RowsDefinition: Hashable, Sendable {
    /// What is looked for, whatever tag is chosen. The numbers beside the tags count it, unless
    /// ``countedApart`` says otherwise.
    package var search = ItemSearch.everything
    /// What the chosen row of the tags pane leaves of it.
    package var choice = ItemSearch.everything
    package var order = ItemOrder.manual
    /// What the numbers beside the tags count, where that is not what is looked for: with a saved
    /// view chosen, whoever chooses a tag leaves the view.
    package var countedApart: ItemSearch?
    /// The same search by letters in order, for what is typed: its matches are shown if ``search``
    /// finds nothing.
    package var fuzzy: ItemSearch?

    package init(
        search: ItemSearch = .everything, choice: ItemSearch = .everything,
        order: ItemOrder = .manual, countedApart: ItemSearch? = nil
    ) {
        self.search = search
        self.choice = choice
        self.order = order
        self.countedApart = countedApart
    }

    /// Whether the best matches come first.
    package var isRanked: Bool { order.sort == .match && search.looksForText }

    /// What the rows are sorted by, or nil where they stand in manual order or the best first.
    var sort: ItemOrder? { order.sort == .match || order == .manual ? nil : order }
}

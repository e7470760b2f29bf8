/// A definition of rows: a search, a choice and an order.
package struct RowsDefinition: Hashable, Sendable {
    /// The search without the choice of a tag. The numbers beside the tags count its items, unless
    /// there is a ``countedSearch``.
    package var search = ItemSearch.everything
    /// The choice of a row of the tags pane, which narrows the search.
    package var choice = ItemSearch.everything
    package var order = ItemOrder.manual
    /// The search that the numbers beside the tags count instead of ``search``. It is set while a
    /// saved view is chosen, because choosing a tag leaves the view.
    package var countedSearch: ItemSearch?
    /// The search for the letters of a typed query's words, in case ``search`` finds no item.
    package var fuzzy: ItemSearch?

    package init(
        search: ItemSearch = .everything, order: ItemOrder = .manual,
        countedSearch: ItemSearch? = nil
    ) {
        self.search = search
        self.order = order
        self.countedSearch = countedSearch
    }

    /// True if the best matches come first.
    package var isRanked: Bool { order.sort == .match && search.looksForText }

    /// The order of sorted rows, or `nil` in manual order and in the order of best matches.
    var sort: ItemOrder? { order.sort == .match || order == .manual ? nil : order }
}

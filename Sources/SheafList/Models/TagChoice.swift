/// A row of the tags pane, which determines the items that are shown.
package enum TagChoice: Hashable, Sendable {
    case all, untagged
    case tag(Tag.ID)
}

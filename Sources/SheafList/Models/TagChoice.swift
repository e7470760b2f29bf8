/// A row of the tags pane: which items are shown as far as tags decide it.
public enum TagChoice: Hashable, Sendable {
    case all, untagged
    case tag(Tag.ID)
}

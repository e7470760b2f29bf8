/// A row of the tags pane: the items that are shown, by their tags.
public enum TagChoice: Hashable, Sendable {
    case all, untagged
    case tag(Tag.ID)
}

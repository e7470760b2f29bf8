/// What a member of a list may do with it; each includes those before.
public enum ShareRight: String, CaseIterable, Sendable {
    case read, write, own
}

/// The right of a member to a list. Each right includes the previous ones.
public enum ShareRight: String, CaseIterable, Sendable {
    case read, write, own
}

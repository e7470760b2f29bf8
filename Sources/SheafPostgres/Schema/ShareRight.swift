/// The right of a member to a list. Each right includes the previous ones.
package enum ShareRight: String, CaseIterable, Sendable {
    case read, write, own
}

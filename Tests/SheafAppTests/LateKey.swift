@testable import SheafApp

/// A user who types once.
@MainActor
final class LateKey {
    weak var store: AppStore?
    var keys: [AppAction] = []

    func type() {
        let keys = keys
        self.keys = []
        for key in keys { store?.send(key) }
    }
}

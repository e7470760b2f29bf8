import Foundation
import Swidux

extension Seed001 {
    struct ItemBrowserReducer: SwiduxReducer {
        func reduce(
            state: inout AppState,
            action: ItemBrowserAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .selectItem(let id):
                state.ui.selectedItemID = id
                let preferences = environment.preferences
                return { _ in
                    await preferences.setSelectedItemID(id)
                }

            case .restoreSelection:
                let preferences = environment.preferences
                let allItems = state.items
                return { send in
                    if let id = await preferences.getSelectedItemID(),
                        allItems.contains(id)
                    {
                        await send(.itemBrowser(.selectItem(id)))
                    }
                }

            case .create:
                let analytics = environment.analytics
                let newItem = Item(
                    name: "New Item",
                    sortIndex: state.items.count
                )
                state.items[newItem.id] = newItem
                state.ui.selectedItemID = newItem.id
                return { _ in
                    await analytics.track(event: .itemCreated)
                }

            case .delete(let id):
                let analytics = environment.analytics
                if state.ui.selectedItemID == id {
                    state.ui.selectedItemID = nil
                }
                state.items[id] = nil
                return { _ in
                    await analytics.track(event: .itemDeleted)
                }

            case .rename(let id, let newName):
                let trimmed = newName.trimmingCharacters(in: .whitespacesAndNewlines)
                guard !trimmed.isEmpty else { return nil }
                state.items.modify(id) { $0.name = trimmed }

            case .reorder(let fromIndex, let toIndex):
                var sorted = state.items.values.sorted { $0.sortIndex < $1.sortIndex }
                guard fromIndex >= 0, fromIndex < sorted.count,
                    toIndex >= 0, toIndex < sorted.count
                else { return nil }
                let item = sorted.remove(at: fromIndex)
                sorted.insert(item, at: toIndex)
                for (i, reorderedItem) in sorted.enumerated() {
                    state.items.modify(reorderedItem.id) { $0.sortIndex = i }
                }
            }

            return nil
        }
    }

    struct InspectorReducer: SwiduxReducer {
        func reduce(
            state: inout AppState,
            action: InspectorAction,
            environment: AppEnvironment
        ) -> Effect? {
            switch action {
            case .toggle:
                state.ui.isInspectorOpen.toggle()
                return nil
            case .duplicateSelected:
                guard let selected = state.selectedItem else { return nil }
                let copy = Item(name: selected.name + " copy", sortIndex: state.items.count)
                return { send in await send(.itemInserted(copy)) }
            }
        }
    }
}

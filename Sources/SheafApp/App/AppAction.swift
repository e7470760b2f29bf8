/// Every event and request in the application. A key becomes an action, and so does a page of items
/// from storage.
package indirect enum AppAction: Sendable {
    case browse(BrowseAction)
    case items(ItemAction)
    case marks(MarkAction)
    case bulk(BulkAction)
    case clip(ClipAction)
    case dates(DateAction)
    case tags(TagAction)
    case views(ViewAction)
    case line(LineAction)
    case filter(FilterAction)
    case search(SearchAction)
    case sort(SortAction)
    case tagPicker(TagPickerAction)
    case confirmation(ConfirmationAction)
    case help(HelpAction)
    case palette(PaletteAction)
    case inspector(InspectorAction)
    case history(HistoryAction)
    case keys(KeyAction)
    case mouse(MouseAction)
    case saving(SavingAction)
    case session(SessionAction)
    case leaving(LeavingAction)
}

extension AppAction {
    /// The action of the responsible feature.
    var feature: any FeatureAction {
        switch self {
        case .browse(let action): action
        case .items(let action): action
        case .marks(let action): action
        case .bulk(let action): action
        case .clip(let action): action
        case .dates(let action): action
        case .tags(let action): action
        case .views(let action): action
        case .line(let action): action
        case .filter(let action): action
        case .search(let action): action
        case .sort(let action): action
        case .tagPicker(let action): action
        case .confirmation(let action): action
        case .help(let action): action
        case .palette(let action): action
        case .inspector(let action): action
        case .history(let action): action
        case .keys(let action): action
        case .mouse(let action): action
        case .saving(let action): action
        case .session(let action): action
        case .leaving(let action): action
        }
    }
}

extension AppAction {
    /// Lets the responsible feature change the state. Ends a drag if the action cancels it.
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        if case .browse(.escaped) = self, state.escapesDrag() { return nil }
        let effect = feature.reduce(&state, environment)
        if case .keys(.sequenceLost) = self, !state.showsSelection { state.endDrag() }
        return effect
    }
}

/// Asynchronous work of an action, which can send further actions.
package typealias Effect = Swidux.Effect<AppAction>

/// A function with which an effect sends actions.
package typealias Send = Swidux.Send<AppAction>

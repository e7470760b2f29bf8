/// Everything that can happen in the application or be wanted of it. A key is one of these, and so
/// is a page that storage delivers.
public indirect enum AppAction: Sendable {
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

/// Async work that an action started and that sends further actions.
public typealias Effect = Swidux.Effect<AppAction>

/// What an effect sends its actions with.
public typealias Send = Swidux.Send<AppAction>

import SheafList

/// The headings of the help, in its order.
enum BindingGroup: CaseIterable {
    case moving, items, tags, views, finding, history, program

    var title: String {
        switch self {
        case .moving: "Moving"
        case .items: "Items"
        case .tags: "Tags"
        case .views: "Saved views"
        case .finding: "Finding and sorting"
        case .history: "Undo and saving"
        case .program: "Program"
        }
    }
}

extension Binding {
    /// The heading that it stands under, by the feature that its action belongs to.
    var group: BindingGroup {
        switch action {
        case .browse(.hideDoneToggled), .dates(.scheduledToggled), .filter, .search, .sort: .finding
        case .browse(.writesToggled), .browse(.tagsToggled), .browse(.escaped), .browse(.closed):
            .program
        case .browse: .moving
        case .keys(.counted): .moving
        case .items, .marks, .clip, .dates: .items
        case .tags, .tagPicker: .tags
        case .views: .views
        case .history, .saving: .history
        default: .program
        }
    }
}

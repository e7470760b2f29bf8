import SheafTestSupport
import Testing

@testable import SheafList

@Suite("Edits of tags")
struct TagEditTests {
    private let tags = Fixtures.tags(["book", "film", "novel"])
    private let views = [
        Fixtures.view(1, "to read", query: "#novel is:open"),
        Fixtures.view(2, "to see", query: "#film"),
    ]

    private func renamed(_ name: String) -> SheafList.Tag {
        var tag = tags[2]
        tag.name = name
        return tag
    }

    @Test("a renamed tag has its new name in the queries of views")
    func rename() throws {
        var changes = StorageChanges()
        try changes.rename(tags[2], to: renamed("story"), among: tags, in: views)
        #expect(changes.tags.upserts.map(\.name) == ["story"])
        #expect(changes.views.upserts.map(\.query) == ["#story is:open"])
    }

    @Test("a tag may get its own name in another case, and no name that another tag has")
    func names() throws {
        var changes = StorageChanges()
        try changes.rename(tags[2], to: renamed("Novel"), among: tags, in: views)
        #expect(changes.tags.upserts.map(\.name) == ["Novel"])
        #expect(throws: TagEditError.nameTaken(tags[0])) {
            try changes.rename(tags[2], to: renamed("BOOK"), among: tags, in: views)
        }
    }

    @Test("a name that makes a query too long is refused")
    func longName() {
        var changes = StorageChanges()
        let long = renamed(String(repeating: "x", count: QueryParser.longestText))
        #expect(throws: TagEditError.self) {
            try changes.rename(tags[2], to: long, among: tags, in: views)
        }
        #expect(changes.isEmpty)
    }

    @Test("views ask for the tag into which theirs is merged, and choose it")
    func merge() throws {
        var views = views
        views[1].tag = tags[2].id
        var changes = StorageChanges()
        try changes.merge([tags[2]], into: tags[0], among: tags, in: views)
        #expect(changes.tags.deletions == [tags[2].id])
        #expect(changes.views.upserts.map(\.query) == ["#book is:open", "#film"])
        #expect(changes.views.upserts.map(\.tag) == [nil, tags[0].id])
    }
}

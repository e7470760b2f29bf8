import SheafList

/// Texts of items and the meaning of each, which must be the same in a new row, in a rename, in
/// `sheaf add` and in `sheaf rename`.
package enum TypedTextTable {
    package static let tags = Fixtures.tags([
        "book", "+Roof", "@home", "work", "+red", "@red", "12", "@nas",
    ])

    /// The meaning of a text.
    package struct Row: Sendable {
        package let text: String
        package let name: String
        /// The names of the tags, in alphabetical order.
        package let tags: [String]
        /// As ``Item/fieldWords`` writes them.
        package let fields: String

        init(_ text: String, _ name: String? = nil, _ tags: [String] = [], _ fields: String = "") {
            self.text = text
            self.name = name ?? text
            self.tags = tags.sorted()
            self.fields = fields
        }
    }

    package static let rows: [Row] = [
        Row("Milk"),
        Row("Fix the gutter +roof", "Fix the gutter", ["+Roof"]),
        Row("#BOOK Read it", "Read it", ["book"]),
        Row("Read #book #new", "Read", ["book", "new"]),
        Row(
            "Ring vet +Pets @phone due:2026-12-01 rec:1y", "Ring vet", ["+Pets", "@phone"],
            "due:2026-12-01 rec:1y"),
        Row("日本語 #読書", "日本語", ["読書"]),
        Row("#новый чай", "чай", ["новый"]),
        Row("a #node.js +c++", "a", ["node.js", "+c++"]),
        // Tags inside a sentence.
        Row("host on @nas (nginx)", nil, ["@nas"]),
        Row("host on #nas (nginx)", "host on @nas (nginx)", ["@nas"]),
        Row("Do @work now", "Do #work now", ["work"]),
        Row("a  #new  b", nil, ["new"]),
        Row("Call @anna and @bob", "Call @anna and", ["@anna", "@bob"]),
        Row("call @home, then go", nil, ["@home"]),
        Row("Call @home.", nil, ["@home"]),
        Row("@home: call", nil, ["@home"]),
        Row("Really, #new?", nil, ["new"]),
        Row("Call #book @home. #work", "Call #book @home.", ["book", "@home", "work"]),
        Row(
            "pack #book,#new +tent;peg @nas", "pack #book,#new +tent;peg",
            ["book", "+tent", "@nas"]),
        // Fields.
        Row("(A) Pay rent due:2026-12-01", "Pay rent", [], "(A) due:2026-12-01"),
        Row("Water due:2026-12-01 the plants", "Water the plants", [], "due:2026-12-01"),
        Row("t:2026-12-05 a rec:+2w #book", "a", ["book"], "t:2026-12-05 rec:+2w"),
        Row("#book due:2026-12-01 Read it", "Read it", ["book"], "due:2026-12-01"),
        Row("a due:none t:none rec:none", "a"), Row("due:none"),
        Row("a due:2026-12-01 due:2026-12-02", "a due:2026-12-02", [], "due:2026-12-01"),
        // Texts without other words.
        Row("#book #roof", "#book +Roof", ["book", "+Roof"]),
        Row("#new", nil, ["new"]),
        Row("(A) #book due:2026-12-01", "#book", ["book"], "(A) due:2026-12-01"),
        Row("due:2026-12-01"), Row("(A)"), Row("(A) due:2026-12-01"),
        // Other sigils.
        Row("Tile #roof", "Tile", ["+Roof"]), Row("Do @work", "Do", ["work"]),
        Row("Paint #red", "Paint", ["red"]), Row("Paint @red", "Paint", ["@red"]),
        Row("Call +moon", "Call", ["+moon"]),
        // A backslash.
        Row("Read \\#book", "Read #book"), Row("\\+roof x", "+roof x"),
        Row("see \\#book #book", "see \\#book", ["book"]),
        Row("\\#new and #new, not \\#book", "\\#new and #new, not #book", ["new"]),
        Row("\\\\#book \\@home #book", "\\\\#book @home", ["book"]),
        Row("see \\@home, then", "see @home, then"),
        Row("\\(A) b", "(A) b"), Row("a \\due:2026-12-01", "a due:2026-12-01"),
        Row("a \\#12"), Row("a \\\\#book"), Row("C:\\#book"), Row("\\#new", "#new"),
        // Code and links.
        Row("run `git log #book @new` #book", "run `git log #book @new`", ["book"]),
        Row("see [[Big #book]] now"), Row("see [the #book](http://x.org/ @home)"),
        Row("`a \\#book due:2026-12-01 b`"), Row("a ` #book", "a `", ["book"]),
        // Text.
        Row("Fix #12"), Row("See #12, #1.2 and #(3)"), Row("C# and F#"), Row("me@home.org a"),
        Row("call +1 or +49"), Row("run #!/bin/sh"), Row("## Heading ##book"), Row("see (@home)"),
        Row("a#book b+roof"), Row("a # b + c @"), Row("#2do a"), Row("#❤ a"), Row("a @@home"),
        Row("“#book” said"), Row("a #“book”"), Row("due:never x"), Row("a t:"),
        Row("a at:3d"), Row("a pri:A"), Row("A (B) c"), Row("a (A)"), Row("(AB) c"), Row("(a) b"),
        Row("a rec:0d"), Row("10:30 a"), Row("a due:2026-02-30"), Row("http://t:3d"),
    ]

    /// A new name of an item, and the item afterwards.
    package struct Rename: Sendable {
        package let name: String
        package let tags: [String]
        package let result: Row

        init(_ name: String, _ tags: [String] = [], to result: Row) {
            self.name = name
            self.tags = tags
            self.result = result
        }
    }

    package static let renames: [Rename] = [
        Rename("a", to: Row("a #book", "a", ["book"])),
        Rename(
            "a", ["work"], to: Row("(B) a b due:2026-12-01", "a b", ["work"], "(B) due:2026-12-01")),
        // The words of the former name mean nothing new.
        Rename("see #book", to: Row("see #book now")),
        Rename("see #book", to: Row("now see #book")),
        Rename("see #book.", to: Row("see #book")),
        Rename(
            "see #book", to: Row("see #book and #book #work", "see #book and", ["book", "work"])),
        Rename("a due:2026-12-01", to: Row("a b due:2026-12-01")),
        Rename(
            "a due:2026-12-01",
            to: Row("a due:2026-12-01 due:2026-12-02", "a due:2026-12-01", [], "due:2026-12-02")),
        Rename("(A) a", to: Row("(A) a b")),
        // The tag words of the former name.
        Rename("host on @nas (nginx)", ["@nas"], to: Row("host on (nginx)")),
        Rename(
            "host on @nas (nginx)", ["@nas", "work"],
            to: Row("host on @home (nginx)", nil, ["@home", "work"])),
        Rename("host on @nas (nginx)", ["@nas"], to: Row("host on (nginx) @nas", nil, ["@nas"])),
        Rename("host on @nas, @NAS", ["@nas"], to: Row("host on @nas,", nil, ["@nas"])),
        Rename("call @home, then", ["@home"], to: Row("call @home then", nil, ["@home"])),
        Rename("call @home now", ["@home"], to: Row("call \\@home now", "call @home now")),
        Rename(
            "call @home now", ["@home", "book"],
            to: Row(
                "see \\@home #new \\#book, \\#new",
                "see @home #new \\#book, \\#new", ["book", "new"])),
        Rename("see \\#book", ["book"], to: Row("see \\#book now", nil, ["book"])),
        Rename("@home", ["@home"], to: Row("@home call", nil, ["@home"])),
        Rename("@home call", ["@home"], to: Row("call #home", "call", ["@home"])),
        // Other tags stay.
        Rename("milk", ["book"], to: Row("oat milk", nil, ["book"])),
    ]
}

extension Item {
    /// The fields that texts have words for: `(A) due:2026-12-01 t:2026-12-02 rec:+1w`.
    package var fieldWords: String {
        let words = [
            priority.map { "(\($0))" }, due.map { "due:\($0)" }, scheduled.map { "t:\($0)" },
            self.repeat.map { "rec:\($0)" },
        ]
        return words.compactMap(\.self).joined(separator: " ")
    }
}

import Testing

@testable import sheaf

/// The parser takes time by the square of the arguments that it gets.
@Suite("Many arguments")
struct WordsTests {
    private let many = (0..<30_000).map { "id\($0)" }

    @Test("however many arguments there are, the parser gets few, and all are there")
    func few() {
        let bundled = Words.bundled(["done", "--store", "x"] + many + ["--undo"] + many + ["-"])
        #expect(bundled.count < 60)
        let words = bundled.map { Words(argument: $0) }.texts
        #expect(words == ["done", "--store", "x"] + many + ["--undo"] + many + ["-"])
    }

    @Test("a few arguments, options and their values stay as they are")
    func alone() {
        for arguments in [
            [], ["list"], ["add", "", "--tag", "", "a b"], ["-", "--", "-x"],
            Array(many.prefix(16)),
        ] {
            #expect(Words.bundled(arguments) == arguments)
        }
    }

    @Test(
        "a value that is empty, or begins with what joins the equals sign, is set apart",
        arguments: [
            ("--note=\u{301}x", ["--note", "\u{301}x"]),
            ("--note=\u{200D}", ["--note", "\u{200D}"]),
            ("--note=\u{FE0F}=", ["--note", "\u{FE0F}="]),
            ("--note=x=\u{301}", ["--note=x=\u{301}"]),
            ("--note=", ["--note", ""]), ("--note==", ["--note=="]), ("--=", ["--="]),
            ("-o=", ["-o="]), ("note=", ["note="]), ("a=\u{301}", ["a=\u{301}"]),
            ("--note", ["--note"]),
        ])
    func apart(argument: String, expected: [String]) {
        let words = Words.withValuesApart([argument, "--", argument])
        #expect(
            words.map { Array($0.utf8) } == (expected + ["--", argument]).map { Array($0.utf8) })
    }

    @Test("an empty argument among many stays one")
    func empty() {
        let arguments = many.prefix(40) + ["", "", "x", ""]
        #expect(
            Words.bundled(Array(arguments)).map { Words(argument: $0) }.texts == Array(arguments))
    }
}

/// Names, one per line. Line breaks inside one become spaces, because the format has no escapes.
enum NameLines {
    static func text(_ names: [String]) -> String {
        names.map { name in
            String(decoding: name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
                + "\n"
        }
        .joined()
    }
}

import SheafCore
import Swidux

public final class SQLiteStorage: ListStorage {
    public let displayName = ""
    public let readOnlyReason: String? = nil
    init(path: String, mode: OpenMode) throws {}
    public func loadTags() async throws -> [Tag] { [] }
    public func loadItems(after cursor: ItemCursor?, limit: Int) async throws -> [Item] { [] }
    public func itemCount() async throws -> Int { 0 }
    public func lastItemRank() async throws -> Rank? { nil }
    public func commit(_ changes: StorageChanges) async throws -> CommitResult { .init() }
    public func close() async {}
}

import Swidux
import SwiduxTesting
import Testing

nonisolated struct Account: Identifiable, Equatable {
    let id: String
    var balance: Int
}

nonisolated struct Payment: Identifiable, Equatable {
    let id: Int
    let payer: String
    let payee: String
    let amount: Int
}

nonisolated struct Bank: Equatable {
    var accounts = EntityStore<Account>()
    var payments = EntityStore<Payment>()
}

nonisolated struct BankChanges {
    var accounts = EntityChanges<Account>()
    var payments = EntityChanges<Payment>()
}

@MainActor let bankReducer = Reduce<Bank, Payment, Payment, Void> { bank, payment, _ in
    bank.payments.append(payment)
    bank.accounts.modify(payment.payer) { $0.balance -= payment.amount }
    bank.accounts.modify(payment.payee) { $0.balance += payment.amount }
    return nil
}

@MainActor
@Suite("Exercise: two stores in one transaction", .timeLimit(.minutes(1)))
struct TransactionTests {
    private let storage = FailingStorage<BankChanges>()
    private let payment = Payment(id: 1, payer: "Ada", payee: "Bob", amount: 3)

    private var bank: Bank {
        Bank(
            accounts: EntityStore([Account(id: "Ada", balance: 9), Account(id: "Bob", balance: 0)]))
    }

    private func makePipeline() -> PersistencePipeline<Bank, BankChanges> {
        PersistencePipeline(
            writers: [
                BatchWriter(keyPath: \.accounts, into: \.accounts),
                BatchWriter(keyPath: \.payments, into: \.payments),
            ],
            empty: { BankChanges() },
            options: PersistenceOptions(clock: ManualClock()),
            commit: { [storage] in try await storage.commit($0) })
    }

    @Test("a write that fails leaves nothing, and the next one writes everything")
    func failure() async {
        let persistence = makePipeline()
        let store = TestStore(
            initialState: bank, reducer: bankReducer, environment: (), persistence: persistence)
        storage.failNext(with: "disk full")
        store.send(payment) {
            $0.accounts["Ada"]?.balance = 6
            $0.accounts["Bob"]?.balance = 3
            $0.payments.append(payment)
        }
        await persistence.flush()
        #expect(persistence.status.phase == .failing)
        #expect(storage.batches.isEmpty)
        await persistence.flush()
        #expect(persistence.status.phase == .saved)
        #expect(storage.batches.map(\.accounts.upserts.count) == [2])
        #expect(storage.batches.map(\.payments.upserts) == [[payment]])
        await store.finish()
    }
}

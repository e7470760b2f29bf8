import Foundation

/// The target to feed, from `SHEAF_FUZZ`.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["SHEAF_FUZZ"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
        print("SHEAF_FUZZ has to be one of: \(names)")
        exit(64)
    }
    return target
}()

/// The function that libFuzzer calls with every input; a trap is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The package manager makes `main` an alias of this, and so libFuzzer's own `main` is none.
@_cdecl("SheafFuzz_main")
public func start(_ count: CInt, _ arguments: UnsafeMutableRawPointer) -> CInt {
    var count = count
    var arguments = arguments
    return runFuzzer(&count, &arguments, check)
}

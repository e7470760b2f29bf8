// swift-tools-version: 6.2
import PackageDescription

/// Warnings of our own targets are errors; those of dependencies stay theirs.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// `make build` names the commit, which `sheaf --version` prints.
let commit = Context.environment["SHEAF_COMMIT"] ?? ""

/// `Tests/torture/fuzz` sets it: then the folder is a program of libFuzzer's instead of tests.
let isFuzzing = Context.environment["SHEAF_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
    "SheafStorage", "SheafFormats", "SheafTUI", "Terminal", "SheafTestSupport",
]
let fuzz: Target =
    isFuzzing
    ? .executableTarget(
        name: "SheafFuzz", dependencies: fuzzed, path: "Tests/Fuzz",
        exclude: ["Corpus", "CorpusTests.swift"], swiftSettings: strict)
    : .testTarget(
        name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
        exclude: ["Corpus", "Driver.swift"], swiftSettings: strict)

let package = Package(
    name: "sheaf",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Swidux", targets: ["Swidux"]),
        .library(name: "SwiduxJSON", targets: ["SwiduxJSON"]),
        .library(name: "SwiduxTesting", targets: ["SwiduxTesting"]),
        .executable(name: "sheaf", targets: ["sheaf"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        .target(
            name: "Swidux",
            dependencies: [
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "SwiduxJSON", dependencies: ["Swidux", "SwiduxFiles"], swiftSettings: strict),
        .target(name: "SwiduxTesting", dependencies: ["Swidux"], swiftSettings: strict),
        .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(
            name: "CCommit", cSettings: [.define("SHEAF_COMMIT", to: "\"\(commit)\"")]),
        .target(name: "CPlatform"),
        .target(name: "SwiduxFiles", dependencies: ["CPlatform"], swiftSettings: strict),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(name: "CUtf8proc"),
        // Loads libpq when a list on a server is opened; nothing of it is needed to build.
        .target(name: "CLibPQ"),
        .target(name: "Geometry", swiftSettings: strict),
        .target(
            name: "Terminal", dependencies: ["Geometry", "CNcurses"], swiftSettings: strict),
        .target(
            name: "SheafList", dependencies: ["Swidux", "CPlatform", "CUtf8proc"],
            swiftSettings: strict),
        .target(
            name: "SheafApp",
            dependencies: ["SheafList", "Geometry", "Swidux"],
            swiftSettings: strict),
        .target(
            name: "SheafFormats",
            dependencies: [
                "SheafList",
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "SheafStorage",
            dependencies: ["SheafFormats", "SheafList", "SwiduxFiles", "CPlatform", "CSQLite"],
            swiftSettings: strict),
        .target(
            name: "SheafPostgres",
            dependencies: ["SheafStorage", "SheafFormats", "SheafList", "SwiduxFiles", "CLibPQ"],
            swiftSettings: strict),
        .target(
            name: "SheafTUI", dependencies: ["SheafApp", "SwiduxFiles", "Terminal", "CPlatform"],
            swiftSettings: strict),
        .executableTarget(
            name: "sheaf",
            dependencies: [
                "SheafTUI", "SheafPostgres", "SheafStorage", "SheafFormats", "SwiduxFiles",
                "Terminal", "CCommit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        .testTarget(
            name: "SwiduxTests", dependencies: ["Swidux", "SwiduxJSON", "SwiduxTesting"],
            swiftSettings: strict),
        // Settings of an application of the original: approachable concurrency, as Xcode has it.
        .testTarget(
            name: "SourceCompatibilityTests", dependencies: ["Swidux"],
            swiftSettings: strict + [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]),
        .testTarget(
            name: "SwiduxFilesTests", dependencies: ["SwiduxFiles", "SheafTestSupport"],
            swiftSettings: strict),
        .testTarget(name: "GeometryTests", dependencies: ["Geometry"], swiftSettings: strict),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: strict),
        .target(
            name: "SheafTestSupport",
            dependencies: [
                "SheafPostgres", "SheafStorage", "SheafApp", "SheafList", "SwiduxTesting",
            ],
            path: "Tests/SheafTestSupport", swiftSettings: strict),
        .testTarget(
            name: "SheafListTests", dependencies: ["SheafList", "SheafTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SheafAppTests", dependencies: ["SheafApp", "SheafTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SheafFormatsTests",
            dependencies: ["SheafFormats", "SheafStorage", "SheafTestSupport"],
            exclude: ["Samples"], swiftSettings: strict),
        .testTarget(
            name: "SheafPostgresTests",
            dependencies: ["SheafPostgres", "SheafStorage", "SheafTestSupport", "CLibPQ"],
            swiftSettings: strict),
        .testTarget(
            name: "SheafStorageTests",
            dependencies: [
                "SheafPostgres", "SheafStorage", "SheafFormats", "SwiduxTesting",
                "SheafTestSupport", "CSQLite",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SheafTUITests",
            dependencies: ["SheafTUI", "SheafStorage", "SheafFormats", "SheafTestSupport"],
            exclude: ["Golden", "Scripts"], swiftSettings: strict),
        .testTarget(
            name: "SheafTests",
            dependencies: [
                "sheaf", "SheafTUI", "SheafStorage", "SheafFormats", "SheafTestSupport",
            ],
            swiftSettings: strict),
        fuzz,

        // `make bench` builds and runs them. They are in this package because they measure parts of
        // Swidux that other packages cannot see.
        .target(name: "CHeap", path: "Benchmarks/Sources/CHeap"),
        .target(name: "CScan", path: "Benchmarks/Sources/CScan"),
        .executableTarget(
            name: "SwiduxBenchmarks",
            dependencies: ["CHeap", "SheafStorage", "SheafList", "Swidux"],
            path: "Benchmarks/Sources/SwiduxBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "FindBenchmarks",
            dependencies: ["CScan", "SheafApp", "SheafStorage", "SheafList", "Swidux"],
            path: "Benchmarks/Sources/FindBenchmarks", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

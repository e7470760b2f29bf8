// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swidux-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sheaf", path: "..")],
    targets: [
        .target(name: "CHeap"),
        .target(name: "CScan"),
        .executableTarget(
            name: "SwiduxBenchmarks",
            dependencies: [
                "CHeap", .product(name: "Swidux", package: "sheaf"),
                .product(name: "SheafStorage", package: "sheaf"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "FindBenchmarks",
            dependencies: [
                "CScan", .product(name: "Swidux", package: "sheaf"),
                .product(name: "SheafStorage", package: "sheaf"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)

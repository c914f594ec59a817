// swift-tools-version: 6.2
import PackageDescription

// A package of its own: it needs flags that no package may ask of those who depend on it.
// `Tools/fuzz` builds and runs it.
let package = Package(
  name: "varve-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "varve", path: "../..")],
  targets: [
    // Reads whatever it is given, and changes traces so that their checksums stay right.
    .executableTarget(
      name: "TraceFuzzer",
      dependencies: [
        .product(name: "VarveFormat", package: "varve"),
        .product(name: "VarveAnalysis", package: "varve"),
        .product(name: "VarveExport", package: "varve"),
      ],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
)

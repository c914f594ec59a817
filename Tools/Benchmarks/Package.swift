// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because that is where users live: what the optimiser can see of Varve from
// here is what it can see from an app. Each library's workloads lie in a module of their own, so
// that neither is specialised into the driver.
let package = Package(
  name: "varve-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "varve", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    // Rounds, CPU clocks and medians.
    .target(name: "Measurement"),
    // The reactive workloads, written for OpenCombine.
    .target(
      name: "OpenCombineWorkloads",
      dependencies: [
        "Measurement", .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ]),
    // Those that fit it, written for the language's own streams.
    .target(name: "AsyncStreamWorkloads", dependencies: ["Measurement"]),
    // The same workloads, written for Varve.
    .target(
      name: "VarveWorkloads",
      dependencies: ["Measurement", .product(name: "Varve", package: "varve")]),
    // The recorder's workload, and what its files need for an event.
    .target(
      name: "RecorderWorkloads",
      dependencies: [
        "Measurement", .product(name: "Varve", package: "varve"),
        .product(name: "VarveFormat", package: "varve"),
      ]),
    // Makes traces of many events quickly.
    .target(
      name: "TraceMill",
      dependencies: ["Measurement", .product(name: "VarveFormat", package: "varve")]),
    // What reading costs, as the command reads.
    .target(
      name: "ReaderWorkloads",
      dependencies: [
        "Measurement", .product(name: "VarveFormat", package: "varve"),
        .product(name: "VarveAnalysis", package: "varve"),
        .product(name: "VarveExport", package: "varve"),
      ]),
    // Makes a trace of many events, to try readers on: `Tools/make-trace`.
    .executableTarget(name: "MakeTrace", dependencies: ["TraceMill"]),
    // What tasks cost, in a program that does not use Varve.
    .executableTarget(name: "TaskBench", dependencies: ["Measurement"]),
    // Runs them in turns and prints the tables.
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Measurement", "AsyncStreamWorkloads", "OpenCombineWorkloads", "VarveWorkloads",
        "RecorderWorkloads", "TraceMill", "ReaderWorkloads",
        .product(name: "VarveFormat", package: "varve"),
      ]),
  ]
)

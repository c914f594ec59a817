// swift-tools-version: 6.2
import PackageDescription

// The command `varve` is a package of its own, so that whoever imports the libraries fetches nothing
// for its sake. `Tools/command` builds it.

/// A library of the package at the top of the repository.
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "varve") }

let package = Package(
  name: "varve-command",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "varve", targets: ["VarveCommand"]),
    .library(name: "VarveHops", type: .dynamic, targets: ["VarveHops"]),
    .library(name: "VarveTasks", type: .dynamic, targets: ["PreloadedVarveTasks"]),
    .library(name: "VarveGuestRecorder", type: .dynamic, targets: ["VarveGuestRecorder"]),
  ],
  dependencies: [
    // The top of the repository, through a link: the package manager tells packages apart by the last
    // word of their paths, and many a clone is called `varve`, as this folder is.
    .package(name: "varve", path: "library"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    // The system's SQLite.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    // The command `varve`.
    .executableTarget(
      name: "VarveCommand",
      dependencies: [
        library("VarveProbe"), library("VarveFormat"), library("VarveRecorder"),
        library("VarveAnalysis"), library("VarveExport"), library("VarveMarbles"),
        "CSQLite",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ], packageAccess: false),
    // Stands in front of Dispatch, in programs that `varve run --hops` preloads it into.
    .target(name: "VarveHops"),
    // Lets a recorder follow tasks, in programs that `varve run` preloads it into.
    .target(
      name: "PreloadedVarveTasks", path: "library/Sources/VarveTasks",
      cSettings: [.define("VARVE_PRELOADED")]),
    // The recorder for programs that have none, opened by VarveTasks.
    .target(
      name: "VarveGuestRecorder",
      dependencies: [library("VarveRecorder"), library("VarveReactive")]),

    // The demo: search as you type, from keystrokes to results.
    .target(
      name: "SearchDemo", dependencies: [library("Varve")],
      path: "library/Tools/SearchDemo/Search", packageAccess: false),
    // Programs with one mistake each, which the command finds.
    .target(
      name: "DemoCases", dependencies: [library("Varve")],
      path: "library/Tools/SearchDemo/Cases", packageAccess: false),
    // The demo as a program.
    .executableTarget(
      name: "SearchDemoCommand", dependencies: ["SearchDemo", "DemoCases", library("Varve")],
      path: "library/Tools/SearchDemo/Command", packageAccess: false),

    // The tests lie with all the others. Some of what they use is built in both packages.

    // A trace told line by line, for the tests of those who read traces.
    .target(
      name: "VarveTraceScript", dependencies: [library("VarveProbe"), library("VarveFormat")],
      path: "library/Tests/TraceScript", packageAccess: false),
    // A program that hops in every way that there is, for tests of what follows it.
    .executableTarget(
      name: "HopsChild", dependencies: [library("Varve")], path: "library/Tests/HopsChild",
      packageAccess: false),
    // A program whose tasks wait, for tests that look at them from outside.
    .executableTarget(
      name: "TasksChild", path: "library/Tests/TasksChild", packageAccess: false),
    // A program whose tasks know who created them, to be compared with what is recorded of it.
    .executableTarget(
      name: "TaskOracle", path: "library/Tests/TaskOracle", packageAccess: false),
    // A program whose causes are known, because its values carry where they came from.
    .executableTarget(
      name: "CauseChild",
      dependencies: [library("Varve"), library("VarveReactive"), library("VarveRecorder")],
      path: "library/Tests/CauseChild", packageAccess: false),
    // A handler of faults that leaves by a jump, in the program that links it.
    .target(name: "FaultSurvivor", path: "library/Tests/FaultSurvivor"),
    // A program that the tests of the command record, kill and look at.
    .executableTarget(
      name: "RecorderChild",
      dependencies: [
        library("VarveRecorder"), library("VarveReactive"), library("VarveFormat"),
        library("VarveProbe"), "FaultSurvivor",
      ],
      path: "library/Tests/RecorderChild", packageAccess: false),
    // The program that the tutorial begins with.
    .executableTarget(
      name: "weather", dependencies: [library("Varve")], path: "library/Tests/Tutorial",
      packageAccess: false),
    // The tests of the demo, its golden timeline among them.
    .testTarget(
      name: "SearchDemoTests",
      dependencies: [
        "SearchDemo", "SearchDemoCommand", "VarveCommand", "weather", library("VarveExport"),
        library("VarveAnalysis"), library("VarveFormat"), "VarveTraceScript",
      ],
      path: "library/Tests/SearchDemoTests", exclude: ["Corpus", "Golden"], packageAccess: false),
    // The tests of the command as it is built.
    .testTarget(
      name: "VarveCommandTests",
      dependencies: [
        "CauseChild", "HopsChild", "RecorderChild", "TaskOracle", "TasksChild", "VarveCommand",
        library("VarveAnalysis"),
        library("VarveFormat"), library("VarveProbe"), library("VarveMarbles"), "VarveTraceScript",
      ],
      path: "library/Tests/VarveCommandTests", exclude: ["Golden"], packageAccess: false),
  ]
)

// As in the package of the libraries. The command and its tests use what its targets share among
// themselves alone: they say that they are of that package, and the package manager, which would say
// otherwise, is kept from it by `packageAccess: false`.
for target in package.targets where target.type != .system {
  target.swiftSettings =
    [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .unsafeFlags(["-package-name", "library"]),
    ] + (Context.environment["VARVE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])
}

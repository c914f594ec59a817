// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of this package is built with. `VARVE_STRICT=1`, as `Tools/check` sets
/// it, turns warnings into errors: a stranger's newer compiler should not stop a build.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (Context.environment["VARVE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// What clients of ReactiveSwift are built with: none of the features above, and in Swift 6 mode such
/// code has warnings.
func clientSettings(_ mode: SwiftLanguageMode) -> [SwiftSetting] { [.swiftLanguageMode(mode)] }

let package = Package(
  name: "varve",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Varve", targets: ["Varve"]),
    .library(name: "VarveReactive", targets: ["VarveReactive"]),
    .library(name: "VarveRecorder", targets: ["VarveRecorder"]),
    .library(name: "VarveProbe", targets: ["VarveProbe"]),
    .library(name: "VarveFormat", targets: ["VarveFormat"]),
    .library(name: "VarveAnalysis", targets: ["VarveAnalysis"]),
    .library(name: "VarveExport", targets: ["VarveExport"]),
    .library(name: "VarveMarbles", targets: ["VarveMarbles"]),
    .library(name: "VarveTesting", targets: ["VarveTesting"]),
    .library(name: "VarveLogging", targets: ["VarveLogging"]),
    .library(name: "VarveTracing", targets: ["VarveTracing"]),
    .library(name: "VarveTasks", targets: ["VarveTasks"]),
    .library(name: "ReactiveSwiftCompatibility", targets: ["ReactiveSwiftCompatibility"]),
    .library(name: "ReactiveCocoa2Compatibility", targets: ["ReactiveCocoa2Compatibility"]),
  ],
  traits: [
    .trait(name: "SwiftLog", description: "Lets streams log to swift-log, in VarveLogging.")
  ],
  dependencies: [
    // Fetched only when the trait SwiftLog is enabled. What the command needs, its package asks for.
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0")
  ],
  targets: [
    // The order below is the order of the data: emit, probe, ring, block, file, query, render.

    // The clock, the thread's slot, the gate and the ring's hot path: what Swift cannot say inline.
    .target(name: "CVarveSystem"),
    // The system's zlib.
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // The platform's C library under one name.
    .target(name: "VarvePlatform", swiftSettings: settings),
    // The vocabulary of what can happen in a stream, and the gate through which it is told.
    .target(name: "VarveProbe", dependencies: ["CVarveSystem"], swiftSettings: settings),
    // Streams of events over time.
    .target(
      name: "VarveReactive", dependencies: ["VarveProbe", "CVarveSystem", "VarvePlatform"],
      swiftSettings: settings),
    // The trace, byte for byte, in the file and in the rings.
    .target(
      name: "VarveFormat",
      dependencies: ["VarveProbe", "CVarveSystem", "CZlib", "VarvePlatform"],
      swiftSettings: settings),
    // Catches probe events on the emitting thread and drains them to a file.
    .target(
      name: "VarveRecorder",
      dependencies: ["VarveProbe", "VarveFormat", "CVarveSystem", "VarvePlatform"],
      swiftSettings: settings),
    // Lets the recorder follow the tasks of the program that links it.
    .target(name: "VarveTasks"),
    // Turns records back into what happened.
    .target(
      name: "VarveAnalysis", dependencies: ["VarveProbe", "VarveFormat", "VarvePlatform"],
      swiftSettings: settings),
    // The marble notation, shared by documentation, tests and the command.
    .target(name: "VarveMarbles", swiftSettings: settings),
    // The viewer's page: markup, style and script, embedded as text.
    .target(name: "VarvePage", exclude: ["Page"], swiftSettings: settings),
    // One trace in other people's formats, and as pictures.
    .target(
      name: "VarveExport",
      dependencies: [
        "VarveProbe", "VarveFormat", "VarveAnalysis", "VarveMarbles", "VarvePage", "VarvePlatform",
      ],
      swiftSettings: settings),
    // Time one can hold in the hand: marble expectations, laws, leak checks.
    .target(
      name: "VarveTesting",
      dependencies: ["VarveReactive", "VarveProbe", "VarveMarbles", "VarveAnalysis"],
      swiftSettings: settings),
    // Streams that log to swift-log; empty without the trait SwiftLog.
    .target(
      name: "VarveLogging",
      dependencies: [
        "VarveReactive",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
      ], swiftSettings: settings),
    // Asynchronous sequences, marks, logs and spans in a trace, without the reactive core.
    .target(
      name: "VarveTracing", dependencies: ["VarveProbe", "VarveRecorder", "CVarveSystem"],
      swiftSettings: settings),
    // What an app imports: the streams and the recorder.
    .target(
      name: "Varve", dependencies: ["VarveReactive", "VarveRecorder"], swiftSettings: settings),
    // What code written for ReactiveSwift needs beyond the core to compile.
    .target(
      name: "ReactiveSwiftCompatibility", dependencies: ["VarveReactive"], swiftSettings: settings),
    // What only ReactiveCocoa 2 had: lazy lists, channels, bracket names, eager starting.
    .target(
      name: "ReactiveCocoa2Compatibility",
      dependencies: ["VarveReactive", "VarveProbe", "CVarveSystem"], swiftSettings: settings),

    // What the tests of several modules share: the gate opened onto memory, rings, threads.
    .target(
      name: "VarveTestRig", dependencies: ["VarveProbe", "CVarveSystem"], path: "Tests/Rig",
      swiftSettings: settings),
    // The tests of the streams.
    .testTarget(
      name: "VarveReactiveTests",
      dependencies: [
        "VarveReactive", "ReactiveCocoa2Compatibility", "VarveProbe", "CVarveSystem", "CZlib",
        "VarveTestRig", "VarveTesting", "ReactiveChild",
      ],
      swiftSettings: settings),
    // The tests in which many threads meet: ThreadSanitizer runs them, too.
    .testTarget(
      name: "ConcurrencyTests",
      dependencies: [
        "VarveReactive", "VarveProbe", "VarveRecorder", "CVarveSystem", "VarveTestRig",
      ],
      swiftSettings: settings),
    // A program that makes the mistakes that stop programs, for tests that read what it says.
    .executableTarget(
      name: "ReactiveChild", dependencies: ["VarveReactive", "VarveProbe", "VarvePlatform"],
      path: "Tests/ReactiveChild", swiftSettings: settings),
    // A handler of faults that leaves by a jump, in the program that links it.
    .target(name: "FaultSurvivor", path: "Tests/FaultSurvivor"),
    // A program that the tests of the recorder record, kill and look at.
    .executableTarget(
      name: "RecorderChild",
      dependencies: [
        "VarveRecorder", "VarveReactive", "VarveFormat", "VarveProbe", "CVarveSystem",
        "VarvePlatform", "FaultSurvivor",
      ],
      path: "Tests/RecorderChild", swiftSettings: settings),
    // The tests of the file, byte for byte.
    .testTarget(
      name: "VarveFormatTests",
      dependencies: ["VarveFormat", "VarveProbe", "CVarveSystem", "VarvePlatform"],
      exclude: ["Golden"], swiftSettings: settings),
    // Stands in front of the heap's functions and counts, in the program that links it.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    // A program that sends and records events while the heap's functions count.
    .executableTarget(
      name: "AllocationChild",
      dependencies: [
        "Varve", "VarveReactive", "VarveRecorder", "VarvePlatform", "AllocationCounter",
      ],
      path: "Tests/AllocationChild", swiftSettings: settings),
    // The tests of what events cost the heap.
    .testTarget(
      name: "AllocationTests", dependencies: ["AllocationChild"], swiftSettings: settings),
    // The tests of the marble notation and its charts.
    .testTarget(
      name: "VarveMarblesTests", dependencies: ["VarveMarbles"], swiftSettings: settings),
    // The tests of what tests use.
    .testTarget(
      name: "VarveTestingTests", dependencies: ["VarveTesting", "VarveReactive", "VarveTestRig"],
      swiftSettings: settings),
    // Code as clients of ReactiveSwift write it: it has to compile, and to do what it did.
    .testTarget(
      name: "CompatibilityTests",
      dependencies: ["ReactiveSwiftCompatibility", "ReactiveCocoa2Compatibility", "Varve"],
      exclude: ["Diagnostics"], swiftSettings: clientSettings(.v6)),
    // The same code once more, by a link to its folder, as clients in Swift 5 mode.
    .testTarget(
      name: "CompatibilityTestsSwift5", dependencies: ["ReactiveSwiftCompatibility"],
      exclude: ["Diagnostics"], swiftSettings: clientSettings(.v5)),
    // The tests of logging to swift-log; empty without the trait SwiftLog.
    .testTarget(
      name: "VarveLoggingTests",
      dependencies: [
        "VarveLogging", "VarveReactive",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
      ], swiftSettings: settings),
    // The tests of sequences, marks, logs and spans.
    .testTarget(
      name: "VarveTracingTests",
      dependencies: [
        "VarveTracing", "VarveProbe", "VarveFormat", "VarveTestRig",
      ], swiftSettings: settings),
    // A program that records its tasks from inside. No test depends on it, as a program that runs tests
    // is linked with all that these depend on, and its tasks are not to be looked at.
    .executableTarget(
      name: "OwnTasksChild", dependencies: ["Varve", "VarveTasks", "VarveTracing"],
      path: "Tests/OwnTasksChild",
      swiftSettings: settings),
    // The tests of the recorder.
    .testTarget(
      name: "VarveRecorderTests",
      dependencies: [
        "VarveRecorder", "VarveFormat", "VarveProbe", "CVarveSystem", "VarvePlatform",
        "VarveAnalysis", "VarveTestRig", "RecorderChild", "ReactiveChild",
      ],
      swiftSettings: settings),
    // The tests of the probe's vocabulary.
    .testTarget(name: "VarveProbeTests", dependencies: ["VarveProbe"], swiftSettings: settings),
    // A trace told line by line, for the tests of those who read traces.
    .target(
      name: "VarveTraceScript", dependencies: ["VarveProbe", "VarveFormat", "VarvePlatform"],
      path: "Tests/TraceScript", swiftSettings: settings),
    // A program whose causes are known, because its values carry where they came from.
    .executableTarget(
      name: "CauseChild", dependencies: ["Varve", "VarveReactive", "VarveRecorder"],
      path: "Tests/CauseChild", swiftSettings: settings),
    // The tests of selections, queries and what is found out about streams.
    .testTarget(
      name: "VarveAnalysisTests",
      dependencies: [
        "VarveAnalysis", "VarveFormat", "VarveProbe", "VarveTraceScript", "CauseChild",
      ],
      swiftSettings: settings),
    // The tests of what traces are turned into.
    .testTarget(
      name: "VarveExportTests",
      dependencies: [
        "VarveExport", "VarveAnalysis", "VarveFormat", "VarveProbe", "VarveMarbles",
        "VarveTraceScript",
      ],
      swiftSettings: settings),
    // The tests of the documents: what they say of the sources, and their examples.
    .testTarget(
      name: "DocumentTests",
      dependencies: [
        "Varve", "VarveReactive", "VarveTesting", "ReactiveSwiftCompatibility", "VarveTestRig",
        "VarveAnalysis",
      ],
      swiftSettings: settings + [.enableUpcomingFeature("MemberImportVisibility")]),
  ]
)

// What is built for a sanitizer is the least that its tests need: `Tools/check` names it.
if let named = Context.environment["VARVE_TARGETS"] {
  let kept = Set(named.split(separator: ",").map(String.init))
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}

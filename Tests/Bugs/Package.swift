// swift-tools-version: 6.2
import Foundation
import PackageDescription

let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
// Those to build, with commas between; otherwise all. To plan hundreds takes as long as to build some.
let chosen = Context.environment["VARVE_PROGRAMS"]
  .map { Set($0.split(separator: ",").map(String.init)) }
// Programs with tasks alone do without Varve: they are recorded as they are.
let parts: [String: [Target.Dependency]] = [
  "Programs": [.product(name: "Varve", package: "varve")],
  "Unread": [.product(name: "Varve", package: "varve")],
  "Tasks": [],
  "UnreadTasks": [],
]
let targets: [Target] = parts.sorted { $0.key < $1.key }.flatMap { part, dependencies -> [Target] in
  let names = (try? FileManager.default.contentsOfDirectory(atPath: here + "/" + part)) ?? []
  return names.filter { chosen?.contains($0) ?? true }.sorted().map {
    .executableTarget(
      name: $0, dependencies: dependencies, path: part + "/" + $0,
      swiftSettings: [.swiftLanguageMode(.v5)])
  }
}
let package = Package(
  name: "bugs", platforms: [.macOS(.v15)], dependencies: [.package(name: "varve", path: "../..")],
  targets: targets)

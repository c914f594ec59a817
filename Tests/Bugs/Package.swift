// swift-tools-version: 6.2
import Foundation
import PackageDescription

let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
let targets: [Target] = ["Programs", "Unread"].flatMap { part -> [Target] in
  let names = (try? FileManager.default.contentsOfDirectory(atPath: here + "/" + part)) ?? []
  return names.sorted().map {
    .executableTarget(
      name: $0, dependencies: [.product(name: "Varve", package: "varve")], path: part + "/" + $0,
      swiftSettings: [.swiftLanguageMode(.v5)])
  }
}
let package = Package(
  name: "bugs", platforms: [.macOS(.v15)], dependencies: [.package(name: "varve", path: "../..")],
  targets: targets)

// swift-tools-version: 6.2
import PackageDescription

// A client of this package, whose dependencies `ClientTests` looks at.
let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "varve", path: "../..")],
  targets: [
    // Imports what apps import, and what code imports that was written for ReactiveSwift.
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "Varve", package: "varve"),
        .product(name: "ReactiveSwiftCompatibility", package: "varve"),
      ])
  ]
)

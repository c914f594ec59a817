import Foundation

@MainActor
final class UpdateModel {
  private let screen: UpdateScreen
  private let installer: Installer

  init(screen: UpdateScreen, installer: Installer) {
    self.screen = screen
    self.installer = installer
  }

  func install(_ version: String) async {
    screen.show(text: "Installing \(version)…")
    do {
      try await installer.install(version) { [screen] done in
        screen.show(percent: Int(done * 100))  // culprit
      }
      screen.show(text: "The orrery has firmware \(version)")
    } catch {
      screen.show(text: "The update failed: \(error)")
    }
  }
}

/// A screen of the old kind: nothing but the main queue may change it.
final class UpdateScreen: @unchecked Sendable {
  private(set) var text = ""
  private(set) var percent = 0

  private let isMain = DispatchSpecificKey<Bool>()

  @MainActor init() {
    DispatchQueue.main.setSpecific(key: isMain, value: true)
  }

  func show(text: String) {
    guard isAllowed(#function) else { return }
    self.text = text
    print(text)
  }

  func show(percent: Int) {
    guard isAllowed(#function) else { return }
    self.percent = percent
    print("\(percent) %")
  }

  private func isAllowed(_ function: String) -> Bool {
    if DispatchQueue.getSpecific(key: isMain) == true { return true }
    print("UpdateScreen.\(function) must be used from the main thread only")
    return false
  }
}

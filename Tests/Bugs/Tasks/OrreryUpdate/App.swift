// Symptom: While the orrery gets its new firmware, the bar does not move, and the console says
// that I change the screen in the background. The texts before and after are fine.
// Looks at: the update ("update")

import Foundation

@main
struct OrreryApp {
  static func main() async {
    let screen = UpdateScreen()
    let model = UpdateModel(screen: screen, installer: Installer(link: OrreryLink()))
    let update = Task(name: "update") { await model.install("3.2") }
    await update.value
    print("on the screen: “\(screen.text)”, bar at \(screen.percent) %")
  }
}

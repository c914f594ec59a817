// Symptom: The list of visas loads when I have just logged in. Later, when I pull it down to load
// it again, the wheel turns for ever.
// Looks at: the loading of the list ("visas")

import Foundation

@main
struct EmbassyApp {
  static func main() async {
    let client = ApiClient(network: EmbassyNetwork())
    let model = VisaListModel(client: client)
    await client.logIn(with: Token(text: "from-login", lifetime: .milliseconds(80)))

    await model.pullDown()
    try? await Task.sleep(for: .milliseconds(150))
    await model.pullDown()
    print("done")
  }
}

@MainActor
final class VisaListModel {
  private let client: ApiClient
  private(set) var visas: [String] = []

  init(client: ApiClient) {
    self.client = client
  }

  func pullDown() async {
    print("loading…")
    let load = Task(name: "visas") { try await client.send("/visas") }
    do {
      visas = try await load.value.components(separatedBy: ";")
      print("visas: \(visas.joined(separator: ", "))")
    } catch {
      print("could not load: \(error)")
    }
  }
}

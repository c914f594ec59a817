// Symptom: None; this works. Four lists load at once with one renewal, each in its language.
// Looks at: the loading of a list ("list")

import Foundation

@main
struct ConsulateApp {
  static func main() async {
    let network = ConsulateNetwork()
    let client = ConsulateClient(network: network, formatter: StampFormatter())
    for round in 1...2 {
      let loads = ["de", "fr", "it", "en"].map { language in
        Session.$language.withValue(language) {
          Task(name: "list") { try await client.stamps() }
        }
      }
      for load in loads {
        do {
          print("round \(round): \(try await load.value)")
        } catch {
          print("round \(round): \(error)")
        }
      }
      await client.expireToken()
    }
    print("renewed \(await network.renewals) times")
  }
}

// Symptom: The longer I move the pointer over the shop's catalogue, the slower it gets, and the
// server's people ask why we want to know the stock thousands of times a minute.
// Looks at: one of the questions for the stock ("stock")

import Foundation

actor ShopServer {
  private(set) var questions = 0

  func stock(of product: Int) async -> Int {
    questions += 1
    try? await Task.sleep(for: .milliseconds(3))
    return product % 7
  }
}

@MainActor
final class Catalogue {
  private(set) var bubble = ""
  private let server: ShopServer
  private var hovered: Int?

  init(server: ShopServer) { self.server = server }

  /// The stock of the product under the pointer, always up to date.
  func pointerEntered(_ product: Int) {
    hovered = product
    Task(name: "stock") {  // culprit
      while !Task.isCancelled {
        let stock = await server.stock(of: product)
        if hovered == product { bubble = "\(stock) in stock" }
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  func pointerLeft() {
    hovered = nil
    bubble = ""
  }
}

let server = ShopServer()
let catalogue = Catalogue(server: server)
var before = 0
for product in 1...80 {
  catalogue.pointerEntered(product)
  try await Task.sleep(for: .milliseconds(10))
  catalogue.pointerLeft()
  if product % 20 == 0 {
    let questions = await server.questions
    print("\(product) products: \(questions - before) questions for the last 20")
    before = questions
  }
}

// Symptom: I tapped twice on Redeem, and the voucher of 25 was credited twice.
// Looks at: the taps ("redeem")

import Foundation

struct Voucher: Sendable {
  var code: String
  var worth: Int
}

struct VoucherServer: Sendable {
  private let worths = ["SPRING": 25, "WELCOME": 10]

  func check(_ code: String) async -> Voucher? {
    try? await Task.sleep(for: .milliseconds(60))
    return worths[code].map { Voucher(code: code, worth: $0) }
  }
}

actor Wallet {
  private let server = VoucherServer()
  private var used: Set<String> = []
  private(set) var credit = 0

  func redeem(_ code: String) async -> Bool {
    guard !used.contains(code) else { return false }
    guard let voucher = await server.check(code) else { return false }  // culprit
    used.insert(voucher.code)
    credit += voucher.worth
    print("\(code): \(voucher.worth) more")
    return true
  }
}

@MainActor
final class WalletScreen {
  private let wallet = Wallet()
  private var taps: [Task<Void, Never>] = []

  func tapRedeem(_ code: String) {
    taps.append(
      Task(name: "redeem") {
        let isNew = await wallet.redeem(code)
        if !isNew { print("\(code): this voucher is used up") }
      })
  }

  func settled() async -> Int {
    for tap in taps { await tap.value }
    return await wallet.credit
  }
}

let screen = WalletScreen()
screen.tapRedeem("WELCOME")
try? await Task.sleep(for: .milliseconds(150))
screen.tapRedeem("SPRING")
try? await Task.sleep(for: .milliseconds(15))
screen.tapRedeem("SPRING")
print("Credit: \(await screen.settled()), should be 35")

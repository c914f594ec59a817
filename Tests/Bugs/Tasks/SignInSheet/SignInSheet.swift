// Symptom: With the wrong password, nothing happens: no error, no next screen, for ever.
// Looks at: the program's own task, which signs in

import Foundation

enum Answer: Sendable { case token(String), wrongPassword }

// Safety: its queue guards it.
final class SignInService: @unchecked Sendable {
  private let queue = DispatchQueue(label: "sign in")

  func ask(_ password: String, _ done: @escaping @Sendable (Answer) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.02) {
      done(password == "horse battery" ? .token("token 7") : .wrongPassword)
    }
  }
}

let service = SignInService()

func token(for password: String) async -> String {
  await withCheckedContinuation { continuation in
    service.ask(password) { answer in
      if case .token(let token) = answer {  // culprit
        continuation.resume(returning: token)
      }
    }
  }
}

for password in ["horse battery", "horse"] {
  print("signing in …")
  print(await token(for: password))
}

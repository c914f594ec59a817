// Symptom: The login sheet closes, but the app stays on the "signing in …" screen for ever.
// Looks at: the task that signs in ("sign in")

import Foundation

protocol LoginDelegate: AnyObject, Sendable {
  func loginEnded(with token: String)
}

// Safety: the delegate is set before the service begins.
final class LoginService: @unchecked Sendable {
  weak var delegate: (any LoginDelegate)?
  private let queue = DispatchQueue(label: "login service")

  func begin() {
    queue.asyncAfter(deadline: .now() + 0.05) { [self] in
      delegate?.loginEnded(with: "token 17")
    }
  }
}

// Safety: it has no state that changes.
final class LoginWaiter: LoginDelegate, @unchecked Sendable {
  private let continuation: CheckedContinuation<String, Never>

  init(_ continuation: CheckedContinuation<String, Never>) {
    self.continuation = continuation
  }

  func loginEnded(with token: String) {
    continuation.resume(returning: token)
  }
}

func signIn(with service: LoginService) async -> String {
  await withCheckedContinuation { continuation in  // culprit
    let waiter = LoginWaiter(continuation)
    service.delegate = waiter
    service.begin()
  }
}

func open(profile token: String) async -> String {
  try? await Task.sleep(for: .milliseconds(10))
  return "profile of \(token)"
}

let service = LoginService()
let session = Task(name: "sign in") {
  let token = await signIn(with: service)
  return await open(profile: token)
}
print("signing in …")
print(await session.value)

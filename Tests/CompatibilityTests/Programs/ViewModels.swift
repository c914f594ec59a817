import Foundation
import ReactiveSwiftCompatibility
import Testing

// View models: what the user types is validated, bound, and submitted by an action.

private enum FormError: Error, Equatable {
  case tooShort
  case notAnAddress
  case mismatch
  case notAccepted
}

private protocol AccountService {
  func canUse(_ name: String) -> SignalProducer<Bool, FormError>
  func signUp(_ form: SignUpViewModel.Form) -> SignalProducer<String, FormError>
}

private final class SignUpViewModel {
  struct Form: Equatable {
    var email: String
    var password: String
  }

  let email: ValidatingProperty<String, FormError>
  let confirmation: ValidatingProperty<String, FormError>
  let terms = MutableProperty(false)
  let password = MutableProperty("")
  let reasons: Property<[FormError]>
  let submit: Action<(), String, FormError>
  let isBusy: Property<Bool>

  init(service: AccountService) {
    email = ValidatingProperty("") { input in
      input.hasSuffix("@example.org") ? .valid : .invalid(.notAnAddress)
    }
    confirmation = ValidatingProperty("", with: email) { input, email in
      input == email ? .valid : .invalid(.mismatch)
    }
    let passwordProblem = password.map { $0.count < 4 ? FormError.tooShort : nil }
    let termsProblem = terms.map { $0 ? nil : FormError.notAccepted }
    reasons = Property.combineLatest(
      email.result.map { $0.error }, confirmation.result.map { $0.error }, passwordProblem,
      termsProblem
    )
    .map { [$0, $1, $2, $3].compactMap { $0 } }
    let form = Property.combineLatest(email.result, confirmation.result, password, terms)
      .map { email, confirmation, password, terms -> Form? in
        guard let email = email.value, !confirmation.isInvalid, password.count >= 4, terms else {
          return nil
        }
        return Form(email: email, password: password)
      }
    submit = Action(unwrapping: form) { form in
      service.canUse(form.email)
        .flatMap(.latest) { canUse in
          canUse ? service.signUp(form) : SignalProducer(error: .mismatch)
        }
    }
    isBusy = submit.isExecuting
  }
}

private final class Screen {
  var status = ""
  var button = true
  let (lifetime, token) = Lifetime.make()
  private let disposables = CompositeDisposable()

  init(_ model: SignUpViewModel) {
    disposables += statusTarget
      <~ SignalProducer.merge(
        model.submit.values.producer.map { "welcome \($0)" },
        model.submit.errors.producer.map { "sorry: \($0)" })
    disposables += buttonTarget <~ model.submit.isEnabled
  }

  var statusTarget: BindingTarget<String> {
    BindingTarget(lifetime: lifetime, object: self, keyPath: \.status)
  }

  var buttonTarget: BindingTarget<Bool> {
    BindingTarget(lifetime: lifetime) { [weak self] in self?.button = $0 }
  }

  deinit { disposables.dispose() }
}

@Suite struct ViewModels {
  private final class Accounts: AccountService {
    let scheduler: TestScheduler
    init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

    func canUse(_ name: String) -> SignalProducer<Bool, FormError> {
      SignalProducer(value: name != "taken@example.org").delay(1, on: scheduler)
    }

    func signUp(_ form: SignUpViewModel.Form) -> SignalProducer<String, FormError> {
      SignalProducer(value: form.email).delay(1, on: scheduler)
    }
  }

  @Test("A2: a form is validated while it is filled in, and submitted once")
  func form() {
    let scheduler = TestScheduler()
    let model = SignUpViewModel(service: Accounts(scheduler))
    let screen = Screen(model)
    #expect(screen.button == false)
    #expect(model.reasons.value == [.notAnAddress, .tooShort, .notAccepted])
    let (typed, keyboard) = Signal<String, Never>.pipe()
    model.email <~ typed
    keyboard.send(value: "a")
    keyboard.send(value: "a@example.org")
    #expect(model.reasons.value == [.mismatch, .tooShort, .notAccepted])
    model.confirmation.value = "a@example.org"
    model.password.value = "1234"
    model.terms <~ SignalProducer(value: true)
    #expect(model.reasons.value.isEmpty)
    #expect(screen.button)
    model.submit.apply().start()
    #expect(model.isBusy.value)
    #expect(screen.button == false)
    #expect(model.submit.apply().first() == .failure(.disabled))
    scheduler.advance(by: .seconds(2))
    #expect(screen.status == "welcome a@example.org")
    #expect(screen.button)
    keyboard.send(value: "taken@example.org")
    model.confirmation.value = "taken@example.org"
    model.submit.apply().start()
    scheduler.advance(by: 2)
    #expect(screen.status == "sorry: mismatch")
  }

  @Test("D5: a screen that goes away leaves its view model usable")
  func screen() {
    let model = SignUpViewModel(service: Accounts(TestScheduler()))
    var screen: Screen? = Screen(model)
    weak var weakly = screen
    screen = nil
    #expect(weakly == nil)
    model.email.value = "b@example.org"
    #expect(model.email.value == "b@example.org")
  }
}

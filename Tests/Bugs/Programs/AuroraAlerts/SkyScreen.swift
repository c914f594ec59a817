import Varve

extension Magnetometer {
  var field: SignalProducer<Int, Never> {
    SignalProducer { observer, _ in
      self.startUpdates { observer.send(value: $0) }  // culprit
    }
  }
}

final class SkyScreen {
  let field = MutableProperty<Int?>(nil)
  private let (lifetime, token) = Lifetime.make()

  init(_ magnetometer: Magnetometer) {
    field
      <~ magnetometer.field
      .take(during: lifetime)
      .skipRepeats()
      .named("field")
      .map { Optional($0) }
  }
}

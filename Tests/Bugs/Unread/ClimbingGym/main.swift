// Symptom: Once I have looked at the details of a route and closed them again, the number of
// climbers in the hall stays as it is. People come and go, and it does not move.
// Looks at: the number of climbers in the hall ("climbers")

import Foundation
import Varve

final class Turnstile {
  let passes: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (passes, input) = Signal.pipe(named: "passes") }
  func enter() { input.send(value: 1) }
  func leave() { input.send(value: -1) }
}

final class HallScreen {
  let climbers = MutableProperty(0)
  let disposables = CompositeDisposable()

  init(_ turnstile: Turnstile) {
    disposables += climbers <~ turnstile.passes.scan(0, +).named("climbers")
  }
}

final class RouteSheet {
  let tries = MutableProperty(0)
  private let disposables: CompositeDisposable

  init(route: Signal<Void, Never>, over screen: HallScreen) {
    disposables = screen.disposables
    disposables += tries <~ route.scan(0) { count, _ in count + 1 }.named("tries")
  }

  func close() {
    disposables.dispose()  // culprit
  }
}

let turnstile = Turnstile()
let (route, climb) = Signal<Void, Never>.pipe(named: "route 12")
let hall = HallScreen(turnstile)
for _ in 1...6 { turnstile.enter() }

var sheet: RouteSheet? = RouteSheet(route: route, over: hall)
climb.send(value: ())
climb.send(value: ())
print("tries: \(sheet?.tries.value ?? 0)")
sheet?.close()
sheet = nil

for step in 1...12 {
  if step.isMultiple(of: 3) { turnstile.leave() } else { turnstile.enter() }
  Thread.sleep(forTimeInterval: 0.02)
}
print("In the hall: \(hall.climbers.value)")

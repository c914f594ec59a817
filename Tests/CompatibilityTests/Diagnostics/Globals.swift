// A signal of values that may not be shared may not be shared either: the one error there is.

import ReactiveSwiftCompatibility

final class Counter { var count = 0 }

let signal = Signal<Counter, Never>.never  // 6: error
let property = MutableProperty(Counter())  // 6: error
let action = Action<Counter, Int, Never> { _ in .empty }  // 6: error
let names = MutableProperty<[String]>([])

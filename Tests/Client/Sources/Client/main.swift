import ReactiveSwiftCompatibility
import Varve

let (numbers, input) = Signal<Int, Never>.pipe()
numbers.observeValues { print($0) }
input.send(value: 1)

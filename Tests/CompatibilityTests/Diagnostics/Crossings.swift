// Streams of values that may not be shared stay where they are.

import ReactiveCocoa2Compatibility
import ReactiveSwiftCompatibility

final class Counter { var count = 0 }

func cross(
  _ signal: Signal<Counter, Never>, _ property: MutableProperty<Counter>,
  _ channel: Channel<Counter, Never>
) {
  Task.detached { signal.observeValues { _ in } }  // 6: error
  Task.detached { property.value.count += 1 }  // 6: error
  Task.detached { channel.leading.send(value: Counter()) }  // 6: error
}

// What tasks cost, recorded and unrecorded. The program does not use Varve: `Tools/bench --only tasks`
// runs it in turns as it is and under `varve run`, on one processor, and compares.
//
//     TaskBench                        each operation: its name, a tabulator, nanoseconds of CPU
//     TaskBench --rounds 9             rounds of each; the median counts
//     TaskBench --only yield           one operation
//     TaskBench --operations 10000     so many in a round
//
// What counts is the CPU time of all threads but the one that writes the trace.
import Foundation
import Measurement

@main
struct TaskBench {
  static func main() {
    var rounds = 9
    var operations = 2_000
    var only: String?
    var rest = CommandLine.arguments.dropFirst()
    while let flag = rest.popFirst(), let value = rest.popFirst() {
      switch flag {
      case "--rounds": rounds = max(Int(value) ?? rounds, 1)
      case "--operations": operations = max(Int(value) ?? operations, 1)
      default: only = value
      }
    }
    let (wanted, each, times) = (only, operations, rounds)
    // The main thread waits: valgrind fails on programs that leave it, as asynchronous ones do.
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      for operation in TaskOperation.allCases where wanted == nil || wanted == operation.rawValue {
        var measured: [Double] = []
        // The first round, which meets each place for the first time, does not count.
        for _ in 0...(times == 1 ? 0 : times) { measured.append(await operation.round(each)) }
        if times > 1 { measured.removeFirst() }
        print("\(operation.rawValue)\t\(measured.median)")
      }
      end.signal()
    }
    end.wait()
  }
}

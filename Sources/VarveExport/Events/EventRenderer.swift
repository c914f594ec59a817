public import VarveAnalysis

/// A form in which events are written. Each form has its own file.
public protocol EventRenderer: AnyObject {
  /// Writes what comes before the first event.
  func begin()

  /// Writes the selected events of a page.
  func render(_ page: EventPage)

  /// Writes what comes after the last event.
  func end()

  /// Continues after another renderer of the same kind, whose `end` is not called.
  func goOn(after other: any EventRenderer)

  /// What else the reader of the lines has to know, in sentences.
  var notes: [String] { get }

  /// The parts of the trace that the lines do not reflect because there was too much to remember.
  var passedOver: PassedOver { get }
}

extension EventRenderer {
  /// Does nothing: each line stands for itself.
  public func goOn(after other: any EventRenderer) {}

  /// None.
  public var notes: [String] { [] }

  /// Nothing.
  public var passedOver: PassedOver { PassedOver() }
}

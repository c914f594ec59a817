public import VarveAnalysis

/// Writes events in one form. One form a file.
public protocol EventRenderer: AnyObject {
  /// Writes what comes before the first event.
  func begin()

  /// Writes the events of a page that are due.
  func render(_ page: EventPage)

  /// Writes what comes after the last event.
  func end()

  /// Goes on where another renderer of the same kind has stopped, of which `end` is not called.
  func goOn(after other: any EventRenderer)

  /// What of the trace the lines could not take into account because there was too much of it to
  /// remember.
  var passedOver: PassedOver { get }
}

extension EventRenderer {
  /// Nothing: lines stand for themselves.
  public func goOn(after other: any EventRenderer) {}

  /// Nothing.
  public var passedOver: PassedOver { PassedOver() }
}

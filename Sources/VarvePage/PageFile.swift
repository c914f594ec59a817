/// A file of the viewer's page, as a browser asks for it: markup, a style sheet, or a module of script.
///
/// The files lie in `Page`, where browsers and `node` read them; `Tools/embed-page` writes what is in `Embedded`
/// from them. As raw string literals they compile in two seconds; the package manager's own way of
/// embedding makes arrays of octets, which take a minute.
package struct PageFile: Sendable {
  /// What the page's address for it ends in: `lanes.js`.
  package let name: String
  package let text: String

  /// The value of `Content-Type`.
  package var contentType: String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return "text/html; charset=utf-8"
  }

  /// The file of that name.
  package static func named(_ name: String) -> PageFile? { all.first { $0.name == name } }
}

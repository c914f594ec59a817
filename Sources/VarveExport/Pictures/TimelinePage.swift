/// A timeline as a page for a browser: a picture whose time axis can be stretched, a box that
/// filters its lanes, and the details of the chosen marble.
///
/// The page is one file. It loads nothing, and its policy forbids loading.
public struct TimelinePage {
  private let picture: TimelinePicture

  /// Prepares the page around a picture.
  public init(_ picture: TimelinePicture) { self.picture = picture }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - title: the name of the trace.
  ///   - files: the arguments that name the trace on the command line.
  public func html(title: String, files: [String]) -> String {
    let name = MarkupText.escaped(title)
    let command = MarkupText.escaped(files.map { ShellText.word($0) }.joined(separator: " "))
    let hidden = picture.hiddenLanes
    let tasks = picture.hiddenTasks
    let note =
      (hidden > 0 ? "<p>\(hidden) quieter streams are left out.</p>\n" : "")
      + (tasks > 0 ? "<p>\(tasks) more tasks are left out; choose some with -n.</p>\n" : "")
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <meta name="color-scheme" content="light dark"><title>\(name)</title>
      <style>\(Self.style)</style></head>
      <body data-files="\(command)"><header><h1>\(name)</h1>
      <input id="filter" type="search" placeholder="streams, such as search*" \
      aria-label="Show the streams whose names match"><span id="shown"></span></header>
      \(note)<main data-left="\(picture.left)">
      \(picture.svg(title: title))</main>
      <pre id="details" aria-live="polite">Choose a marble; the arrow keys go to its \
      neighbours.
      Ctrl and the wheel, or + and -, stretch the time; 0 shows all of it again.</pre>
      <script>\(Self.script)\(TimelineZoom.script)</script></body></html>

      """
  }

  private static let style = """
    body{margin:0;font:13px ui-monospace,monospace;background:#fff;color:#222;display:flex;\
    flex-direction:column;height:100vh}header{display:flex;gap:1em;align-items:center;\
    padding:.6em 1em}h1{font-size:1em;margin:0}input{font:inherit;width:18em;padding:.2em .5em}\
    p{margin:0 1em .5em}main{flex:1;overflow:auto}svg{display:block}.marble,main line[data-event]\
    {cursor:pointer}.chosen{stroke:#e80!important;stroke-width:3!important}\
    #details{margin:0;padding:.8em 1em;min-height:5em;border-top:1px solid #ccc;\
    white-space:pre-wrap}main .name{paint-order:stroke;stroke:Canvas;stroke-width:4px}@media(prefers-color-scheme:dark){body{background:#16181c;color:#ddd}\
    #details{border-color:#444}}
    """

  /// The script of the page. It treats no text as markup.
  private static let script = #"""
    'use strict';
    const svg = document.querySelector('svg');
    const lanes = [...svg.querySelectorAll('g.lane')];
    const details = document.getElementById('details');
    const box = document.getElementById('filter');
    const files = document.body.dataset.files;
    let chosen = null;

    function pattern(text) {
      if (!text) return /(?:)/;
      const glob = text.replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*/g, '.*').replace(/\?/g, '.');
      return new RegExp(/[*?]/.test(text) ? '^' + glob + '$' : glob, 'is');
    }
    function filter() {
      const wanted = pattern(box.value.trim());
      let row = 0;
      for (const lane of lanes) {
        const shows = wanted.test(lane.dataset.name);
        lane.style.display = shows ? '' : 'none';
        if (shows) {
          const y = \#(TimelinePicture.headHeight) + row * \#(TimelinePicture.rowHeight);
          lane.setAttribute('transform', `translate(0,${y})`);
          row += 1;
        }
      }
      const width = svg.viewBox.baseVal.width;
      const height = \#(TimelinePicture.headHeight + TimelinePicture.footHeight) +
        Math.max(row, 1) * \#(TimelinePicture.rowHeight);
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      svg.setAttribute('height', height);
      document.getElementById('shown').textContent =
        row === lanes.length ? '' : `${row} of ${lanes.length} lanes`;
    }
    function choose(mark) {
      if (!mark) return;
      if (chosen) chosen.classList.remove('chosen');
      chosen = mark;
      chosen.classList.add('chosen');
      chosen.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      details.textContent = mark.querySelector('title').textContent +
        `\n\nvarve why ${files} '#${mark.dataset.event}'`;
    }
    svg.addEventListener('click', event => choose(event.target.closest('[data-event]')));
    box.addEventListener('input', filter);
    document.addEventListener('keydown', event => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || !chosen || event.target === box) return;
      const marks = [...chosen.parentNode.querySelectorAll('[data-event]')];
      choose(marks[marks.indexOf(chosen) + step]);
      event.preventDefault();
    });
    """#
}

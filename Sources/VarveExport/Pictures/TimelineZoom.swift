/// Stretches the time axis of a timeline in a page. Marbles, texts and names keep their size; only
/// their positions change, so that what lies close together comes apart.
enum TimelineZoom {
  /// The script, which follows that of the page.
  static let script = #"""

    const main = document.querySelector('main');
    const left = Number(main.dataset.left);
    const whole = svg.viewBox.baseVal.width;
    const paper = svg.querySelector('.paper');
    const names = [...svg.querySelectorAll('.name')];
    const mostZoom = 64;
    let zoom = 1;

    const at = x => x <= left ? x : left + (x - left) * zoom;
    const number = (mark, key) => Number(mark.getAttribute(key));
    // For each thing on the time axis, what puts it where it belongs.
    const movers = [];
    const move = (mark, key, from) => movers.push(() => mark.setAttribute(key, from()));
    function follow(mark, key, offset = 0) {
      const x = number(mark, key) - offset;
      move(mark, key, () => at(x) + offset);
    }
    function followBox(mark) {
      const x = number(mark, 'x');
      const width = number(mark, 'width');
      const count = mark.classList.contains('marble') ? mark.nextElementSibling : null;
      if (!count) {
        move(mark, 'x', () => at(x));
        return move(mark, 'width', () => width * zoom);
      }
      // As wide as its number needs, or as the time that its values took.
      const isNarrow = width <= 8 + 6 * count.textContent.length;
      const wide = () => isNarrow ? width : (width - 14) * zoom + 14;
      move(mark, 'width', wide);
      move(mark, 'x', () => at(x + width / 2) - wide() / 2);
    }
    function followEnd(line) {
      const x = number(line, 'x1');
      let marble = line.previousElementSibling;
      while (marble && !marble.classList.contains('marble')) {
        marble = marble.previousElementSibling;
      }
      const gap = \#(TimelinePicture.endGap);
      const end = !marble ? -1 : marble.tagName === 'circle' ? number(marble, 'cx')
        : number(marble, 'x') + number(marble, 'width') - 7;
      const offset = Math.abs(end + gap - x) <= 3 ? gap : 0;
      for (const key of ['x1', 'x2']) follow(line, key, offset);
    }
    for (const mark of svg.querySelectorAll('circle,rect,line,text')) {
      if (mark === paper || mark.classList.contains('name')) continue;
      if (mark.tagName === 'circle') follow(mark, 'cx');
      else if (mark.tagName === 'rect') followBox(mark);
      else if (mark.tagName === 'text') {
        follow(mark, 'x', mark.classList.contains('value') ? -\#(TimelinePicture.textGap) : 0);
      } else if (mark.dataset.event) followEnd(mark);
      else for (const key of ['x1', 'x2']) follow(mark, key);
    }

    function stretch(wanted, place = main.clientWidth / 2) {
      const before = main.scrollLeft + place;
      const old = zoom;
      zoom = Math.min(Math.max(wanted, 1), mostZoom);
      if (zoom === old) return;
      for (const mover of movers) mover();
      const width = left + (whole - left) * zoom;
      const height = svg.viewBox.baseVal.height;
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      svg.setAttribute('width', width);
      paper.setAttribute('width', width);
      // What was under the pointer stays there.
      main.scrollLeft = (before <= left ? before : left + (before - left) * zoom / old) - place;
    }
    main.addEventListener('wheel', event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const place = event.clientX - main.getBoundingClientRect().left;
      stretch(zoom * Math.exp(-event.deltaY / 300), place);
    }, { passive: false });
    document.addEventListener('keydown', event => {
      if (event.target === box || event.ctrlKey || event.metaKey || event.altKey) return;
      const wanted = { '+': zoom * 1.5, '=': zoom * 1.5, '-': zoom / 1.5, '0': 1 }[event.key];
      if (!wanted) return;
      stretch(wanted);
      event.preventDefault();
    });
    // The names stay in sight, in front of what passes below them.
    for (const name of names) name.parentNode.append(name);
    main.addEventListener('scroll', () => {
      for (const name of names) name.setAttribute('transform', `translate(${main.scrollLeft},0)`);
    });
    """#
}

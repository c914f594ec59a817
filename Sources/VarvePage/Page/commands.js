// Everything that can be done, its key, and the words under which the palette finds it.

export function commandsOf(viewer, ui) {
  const { axis, lanes } = viewer;
  const pan = part => () => { axis.pan(axis.width * part); viewer.moved(); };
  const zoom = factor => () => { axis.zoom(factor, viewer.selection && inside(viewer) ? axis.x(viewer.selection.tick) : undefined); viewer.moved(); };
  const panel = name => () => viewer.show(name);
  const relaid = change => () => { change(); viewer.moved(); };
  const focused = () => lanes.focused?.lane;
  return [
    { group: "Look", title: "Zoom in", keys: ["w", "+", "="], run: zoom(1 / 1.6) },
    { group: "Look", title: "Zoom out", keys: ["s", "-"], run: zoom(1.6) },
    { group: "Look", title: "Earlier", keys: ["a", "ArrowLeft"], run: pan(-0.15) },
    { group: "Look", title: "Later", keys: ["d", "ArrowRight"], run: pan(0.15) },
    { group: "Look", title: "A screen earlier", keys: ["A", "PageUp"], run: pan(-0.9) },
    { group: "Look", title: "A screen later", keys: ["D", "PageDown"], run: pan(0.9) },
    { group: "Look", title: "To the beginning", keys: ["Home"], run: () => { axis.start = 0; axis.keepInside(); viewer.moved(); } },
    { group: "Look", title: "To the end", keys: ["End"], run: () => { axis.start = axis.length - axis.width * axis.scale; axis.keepInside(); viewer.moved(); } },
    { group: "Look", title: "Fit what is selected", keys: ["f"], run: () => viewer.fitSelection() },
    { group: "Look", title: "The whole recording", keys: ["0"], run: () => viewer.whole() },
    { group: "Look", title: "Values as step lines, or as marbles alone", keys: ["v"], run: () => { viewer.steps.isShown = !viewer.steps.isShown; viewer.moved(); } },
    { group: "Look", title: "Light, dark, high contrast", keys: ["t"], run: () => viewer.nextTheme() },

    { group: "Lanes", title: "Lane above", keys: ["ArrowUp", "k"], run: () => viewer.moveFocus(-1) },
    { group: "Lanes", title: "Lane below", keys: ["ArrowDown", "j"], run: () => viewer.moveFocus(1) },
    { group: "Lanes", title: "Find a lane", keys: ["Ctrl+p"], run: () => ui.findLane() },
    { group: "Lanes", title: "Filter the lanes", keys: ["l"], run: () => ui.focusFilter() },
    { group: "Lanes", title: "Pin the lane to the top, or unpin it", keys: ["p"], run: relaid(() => focused() !== undefined && lanes.toggle(lanes.pinned, focused())) },
    { group: "Lanes", title: "Hide the lane", keys: ["h"], run: relaid(() => focused() !== undefined && lanes.toggle(lanes.hidden, focused())) },
    { group: "Lanes", title: "Show all lanes again", keys: ["H"], run: relaid(() => { lanes.hidden.clear(); lanes.setFilter(""); ui.filterShown(); }) },
    { group: "Lanes", title: "Fold the group, or unfold it", keys: ["z"], run: relaid(() => lanes.fold(lanes.rows[lanes.focus])) },
    { group: "Lanes", title: "Fold all groups, or unfold them", keys: ["Z"], run: relaid(() => lanes.folded.size ? lanes.unfoldAll() : lanes.foldAll()) },
    { group: "Lanes", title: "About the lane: its statistics, subscriptions, silence", keys: ["i"], run: panel("lane") },

    { group: "Events", title: "Next event of the lane", keys: [".", ">"], run: () => viewer.stepEvent(1) },
    { group: "Events", title: "Previous event of the lane", keys: [",", "<"], run: () => viewer.stepEvent(-1) },
    { group: "Events", title: "To the cause", keys: ["["], run: () => viewer.walkCause() },
    { group: "Events", title: "To the effect", keys: ["]"], run: () => viewer.walkEffect() },
    { group: "Events", title: "Close in on the event, or select one", keys: ["Enter"], run: () => { if (viewer.selection) { viewer.closeIn(viewer.selection.tick); viewer.moved(); } else viewer.stepEvent(1); } },
    { group: "Events", title: "Go to an event by its number", keys: ["g"], run: () => ui.goToEvent() },
    { group: "Events", title: "Search names and values", keys: ["/"], run: () => ui.focusSearch() },
    { group: "Events", title: "Next that was found", keys: ["n"], run: () => viewer.nextHit(1) },
    { group: "Events", title: "Previous that was found", keys: ["N"], run: () => viewer.nextHit(-1) },
    { group: "Events", title: "Select nothing", keys: ["Escape"], run: () => { viewer.deselect(); viewer.say("Nothing is selected.", { isSeen: true }); } },

    { group: "Ranges", title: "Select what is seen, as a range", keys: ["r"], run: () => { viewer.setRange(axis.start, axis.end); viewer.show("range"); } },
    { group: "Ranges", title: "Copy the events of the range as NDJSON", keys: ["c"], run: () => ui.copyEvents() },
    { group: "Ranges", title: "Copy the command that prints the same", keys: ["C"], run: () => ui.copyCommand() },
    { group: "Ranges", title: "Copy the command that opens this view", keys: ["y"], run: () => ui.copyView() },

    { group: "Replay", title: "Play, or pause", keys: [" "], run: () => viewer.player.toggle() },
    { group: "Replay", title: "Slower", keys: ["{"], run: () => viewer.player.changeSpeed(-1) },
    { group: "Replay", title: "Faster", keys: ["}"], run: () => viewer.player.changeSpeed(1) },
    { group: "Replay", title: "Step to the next event of all lanes", keys: [")"], run: () => viewer.player.step(1) },
    { group: "Replay", title: "Step to the event before", keys: ["("], run: () => viewer.player.step(-1) },

    ...ui.panelList.map(({ name, title }, index) => ({ group: "Panels", title, keys: [String(index + 1)], run: panel(name) })),
    { group: "Panels", title: "Show or hide the panels", keys: ["\\"], run: () => ui.togglePanels() },
    { group: "Panels", title: "Run a command", keys: ["Ctrl+k", ":"], run: () => ui.palette() },
    { group: "Panels", title: "All keys", keys: ["?"], run: () => ui.help() },
  ];
}

function inside(viewer) {
  const x = viewer.axis.x(viewer.selection.tick);
  return x >= 0 && x <= viewer.axis.width;
}

/** The key of an event, as the table above has it. */
export function keyOf(event) {
  const key = event.key.length === 1 && (event.ctrlKey || event.metaKey) ? event.key.toLowerCase() : event.key;
  return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") + key;
}

const SHOWN = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "space", PageUp: "page up", PageDown: "page down" };

export function shownKey(key) { return SHOWN[key] ?? key.replace("Ctrl+", "Ctrl-"); }

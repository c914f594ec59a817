// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let pageStyle = PageFile(name: "page.css", text: ##"""
:root {
  --back: #ffffff; --raised: #f4f5f7; --line: #d9dce1; --text: #1b1f24; --faint: #5c6470; --accent: #0b57d0;
  --failed: #b3300a; --warning: #6b5000; --mark: #e3ecfd; --code: #f0f2f5;
  color-scheme: light;
}
:root[data-theme="dark"] {
  --back: #14171c; --raised: #1c2027; --line: #333a45; --text: #e8ebf0; --faint: #a0a9b6; --accent: #8ab4ff;
  --failed: #ff8a70; --warning: #e3c04f; --mark: #263349; --code: #0e1115;
  color-scheme: dark;
}
:root[data-theme="high-contrast"] {
  --back: #000000; --raised: #000000; --line: #9a9a9a; --text: #ffffff; --faint: #e6e6e6; --accent: #ffff00;
  --failed: #ff9d85; --warning: #ffe14d; --mark: #333300; --code: #000000;
  color-scheme: dark;
}
* { box-sizing: border-box; }
html, body { height: 100%; }
body {
  margin: 0; display: flex; flex-direction: column; overflow: hidden;
  background: var(--back); color: var(--text); font: 13px/1.45 system-ui, sans-serif;
}
.opening { margin: 20vh auto; color: var(--faint); font-size: 15px; }
.bar { display: flex; align-items: center; gap: 8px; padding: 6px 10px; background: var(--raised); border-bottom: 1px solid var(--line); min-height: 41px; }
.file { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: 30vw; }
.status { color: var(--faint); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.spring { flex: 1; }
.omitted { margin: 0; padding: 6px 12px; background: var(--mark); border-bottom: 1px solid var(--line); }
main { flex: 1; display: flex; min-height: 0; }
.picture { flex: 1; display: flex; flex-direction: column; min-width: 0; }
.minimap { width: 100%; height: 44px; display: block; border-bottom: 1px solid var(--line); cursor: crosshair; touch-action: none; }
.room { position: relative; flex: 1; min-height: 0; overflow: hidden; }
.chart { position: absolute; inset: 0; display: block; touch-action: none; outline: none; }
.chart:focus-visible { box-shadow: inset 0 0 0 2px var(--accent); }
.tip {
  position: absolute; max-width: 420px; padding: 6px 9px; background: var(--text); color: var(--back); border-radius: 5px;
  font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; pointer-events: none; z-index: 2;
}
.side { width: clamp(400px, 29vw, 640px); display: flex; flex-direction: column; border-left: 1px solid var(--line); background: var(--back); min-height: 0; }
.side[hidden], [hidden] { display: none; }
.tabs { display: flex; flex-wrap: wrap; gap: 0; padding: 5px 6px 0; background: var(--raised); border-bottom: 1px solid var(--line); }
.tabs button { border: 0; border-bottom: 2px solid transparent; white-space: nowrap; border-radius: 0; background: none; padding: 5px 4px; font-size: 12px; color: var(--faint); }
.tabs button[aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
.panel { flex: 1; overflow: auto; padding: 12px 14px 24px; min-height: 0; overflow-wrap: anywhere; }
.panel:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
h2 { font-size: 15px; margin: 0 0 8px; line-height: 1.35; }
h3 { font-size: 11.5px; margin: 16px 0 5px; color: var(--faint); font-weight: 600; }
.of { color: var(--faint); font-weight: 400; }
.note { color: var(--faint); margin: 6px 0; }
.warning { color: var(--warning); }
.failed { color: var(--failed); }
p { margin: 6px 0; }
button, input { font: inherit; color: inherit; }
button { border: 1px solid var(--line); background: var(--back); border-radius: 5px; padding: 3px 9px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--faint); opacity: 0.65; cursor: default; }
button:focus-visible, input:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button.lane { border: 0; padding: 0; background: none; font-weight: 600; color: var(--accent); text-align: left; overflow-wrap: anywhere; }
button.lane:hover { text-decoration: underline; }
button.chip { padding: 1px 8px; font-variant-numeric: tabular-nums; }
button.plain { display: block; width: 100%; border: 1px solid transparent; background: none; text-align: left; padding: 4px 7px; }
button.plain:hover { background: var(--raised); }
button[aria-current] { background: var(--mark) !important; }
input { background: var(--back); border: 1px solid var(--line); border-radius: 5px; padding: 4px 8px; width: 170px; }
.row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 8px 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 8px 0; }
dt { color: var(--faint); }
dd { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; }
pre { margin: 0; font: 12px/1.5 ui-monospace, monospace; }
pre.value { background: var(--code); border: 1px solid var(--line); border-radius: 5px; padding: 8px 10px; max-height: 240px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
pre.text { background: var(--code); border: 1px solid var(--line); border-radius: 5px; padding: 8px 10px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin-top: 8px; }
pre.text .line { display: block; }
button.link { display: inline; text-indent: 0; padding: 0; border: 0; background: none; color: var(--accent); font: inherit; text-decoration: underline; }
.source { margin: 8px 0; text-indent: 0; border: 1px solid var(--line); border-radius: 5px; overflow: hidden; }
.source figcaption { padding: 3px 10px; background: var(--raised); color: var(--faint); font-size: 11.5px; }
.source pre { overflow: auto; padding: 4px 0; background: var(--code); }
.source .line { display: block; width: max-content; min-width: 100%; padding: 0 10px; white-space: pre; }
.source .line.here { background: var(--mark); }
.source .number { display: inline-block; width: 4ch; margin-right: 1.5ch; text-align: right; color: var(--faint); user-select: none; }
ol.list, ol.chain, ol.frames, ol.choices { list-style: none; margin: 0; padding: 0; }
p.told { margin: 0; padding: 0 8px 6px; cursor: pointer; }
ol.list .what, ol.chain .what { color: var(--text); }
ol small { display: block; color: var(--faint); font-size: 11.5px; }
.wraps { display: block; white-space: pre-wrap; }
ol.chain { border-left: 2px solid var(--line); margin-left: 6px; }
ol.chain li { position: relative; }
ol.chain li::before { content: ""; position: absolute; box-sizing: border-box; left: -6px; top: 9px; width: 10px; height: 10px; border-radius: 50%; background: var(--back); border: 2px solid var(--faint); }
ol.chain li.here::before { background: var(--accent); border-color: var(--accent); }
ol.chain li.marked button { border-color: var(--failed); }
ol.frames li { padding: 3px 0 3px 10px; color: var(--faint); }
ol.frames li.own { color: var(--text); border-left: 2px solid var(--accent); }
ol.frames code { overflow-wrap: anywhere; }
details { margin: 4px 0; }
summary { cursor: pointer; padding: 2px 0; }
.findings li { border-left: 3px solid var(--line); margin-bottom: 6px; }
.findings li.error { border-color: var(--failed); }
.findings li.warning { border-color: var(--warning); color: inherit; }
.findings code { display: block; padding: 0 8px 4px; color: var(--faint); font-size: 11.5px; }
.figures { display: flex; flex-wrap: wrap; gap: 2px 7px; font-size: 12px; font-variant-numeric: tabular-nums; margin-bottom: 8px; }
.figures .title { color: var(--faint); }
.figures small { color: var(--faint); }
.histogram { width: 100%; }
.bars { display: flex; align-items: flex-end; gap: 1px; height: 44px; border-bottom: 1px solid var(--line); }
.bars span { flex: 1; background: var(--accent); opacity: 0.8; min-width: 1px; }
.ends { display: flex; justify-content: space-between; color: var(--faint); }
table.state { border-collapse: collapse; width: 100%; table-layout: fixed; }
table.state th, table.state td { text-align: left; padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow: hidden; text-overflow: ellipsis; font-weight: 400; }
table.state thead th { color: var(--faint); font-size: 11.5px; }
table.state thead th:nth-child(1) { width: 47%; }
table.state thead th:nth-child(3) { width: 17%; }
table.state .lane { white-space: normal; overflow-wrap: anywhere; }
table.state thead th:nth-child(4) { width: 10%; }
table.state tr.lit { background: var(--mark); }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
ul.graph, ul.graph ul { list-style: none; margin: 0; padding-left: 14px; border-left: 1px solid var(--line); }
ul.graph { padding-left: 0; border: 0; }
ul.graph small { color: var(--faint); white-space: nowrap; }
ul.graph .node { display: flex; gap: 6px; align-items: baseline; }
table.diff td { overflow-wrap: anywhere; vertical-align: top; }
table.state.diff thead th { width: 28%; overflow-wrap: anywhere; }
table.state.diff thead th:nth-child(1) { width: 44%; }
table.diff small { display: block; color: var(--faint); }
dialog { border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: var(--text); box-shadow: 0 12px 48px rgb(0 0 0 / 35%); }
dialog::backdrop { background: rgb(0 0 0 / 30%); }
dialog.chooser { width: min(640px, 90vw); margin-top: 12vh; padding: 10px; }
dialog.chooser input { width: 100%; font-size: 15px; padding: 7px 10px; }
.choices { max-height: 50vh; overflow: auto; margin-top: 8px !important; }
.choices li { display: flex; justify-content: space-between; gap: 16px; padding: 5px 9px; border-radius: 5px; cursor: pointer; }
.choices li[aria-selected="true"] { background: var(--mark); }
.choices b { color: var(--accent); }
.choices small { display: inline; white-space: nowrap; }
dialog.keys dl { grid-template-columns: minmax(64px, max-content) 1fr; font-size: 12.5px; }
dialog.keys kbd { white-space: normal; }
dialog.keys dt { max-width: 124px; }
dialog.keys { width: min(1180px, 96vw); max-height: 90vh; padding: 16px 20px; }
dialog.keys header { display: flex; justify-content: space-between; align-items: start; }
.columns { columns: 240px; column-gap: 28px; }
.columns section { break-inside: avoid; padding-top: 8px; }
.columns section h3 { margin-top: 0; }
kbd { font: 11.5px ui-monospace, monospace; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px; background: var(--raised); color: var(--text); white-space: nowrap; }
.toast { position: fixed; left: 50%; bottom: 20px; transform: translateX(-50%); max-width: 70vw; padding: 7px 14px; border-radius: 6px; background: var(--text); color: var(--back); z-index: 5; pointer-events: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 1400px) { .tabs { padding: 5px 4px 0; } .tabs button { padding: 5px 3px; font-size: 11.5px; } }
@media (forced-colors: active) {
  /* Colours of backgrounds are not to be had: lines tell what is chosen. */
  .tabs button { border-bottom-color: Canvas; }
  .tabs button[aria-selected="true"] { border-bottom-color: Highlight; }
  button[aria-current], .choices li[aria-selected="true"], .source .line.here, table.state tr.lit { outline: 3px solid Highlight; outline-offset: -3px; }
  button.plain:not([aria-current]) { border-color: Canvas; }
  button.plain:hover, button.plain:focus-visible { border-color: Highlight; }
  .bars span { forced-color-adjust: none; background: CanvasText; opacity: 1; }
  ol.chain li.here::before { forced-color-adjust: none; background: Highlight; border-color: Highlight; }
  .toast, .tip { border: 1px solid CanvasText; }
}
"""##)
}

extension Page {
  static let body = """
    <header><h1>Recorded run</h1><p id="summary">This page needs JavaScript.</p></header>
    <fieldset id="holders"><legend>Holders</legend></fieldset>
    <div id="lanes" role="img" aria-label="Requests over time, also in the list of events"><div id="scene"></div></div>
    <nav aria-label="Moments">
    <label for="moment" id="where"></label> <input id="moment" type="range" min="0" value="0">
    <button id="changeBack" title="Shift and left arrow">‹ change</button>
    <button id="back" aria-label="Earlier event" title="Left arrow">‹</button>
    <button id="forward" aria-label="Later event" title="Right arrow">›</button>
    <button id="change" title="Shift and right arrow">change ›</button>
    <p><kbd>←</kbd> <kbd>→</kbd> step; hold <kbd>Shift</kbd> to step by change</p>
    </nav>
    <main>
    <div><section id="now" aria-live="polite"><h2 id="what"></h2><p id="text"></p>
    <p id="about"></p><button id="cause"></button></section><section id="states"></section></div>
    <section><h2>Events</h2><ol id="events"></ol></section>
    </main>
    """

  static let style = """

    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #59626d; --paper: #fcfcfd;
      --raised: #f1f3f6; --line: #d5dae1; --accent: #0a58ca; --mark: #fff1cc; --change: #a85b00;
      --done: #17764c; --fail: #c02626; --off: #66707c; --join: #6f46c7; --open: #2563c9; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ebef; --soft: #a3adb9;
      --paper: #14171b; --raised: #20252b; --line: #363d47; --accent: #86b6ff; --mark: #3d3213;
      --change: #f0a63c; } }
    * { box-sizing: border-box; min-width: 0; overflow-wrap: anywhere; }
    [hidden], p:empty, main:empty { display: none !important; }
    body { margin: 0 auto; padding: 16px; max-width: 1600px; color: var(--ink);
      background: var(--paper); font: 16px/1.45 system-ui, sans-serif; }
    h1 { margin: 0; font-size: 1.4rem; } h2 { margin: 0; font-size: 1.1rem; } p { margin: 4px 0; }
    #summary, #about, nav p, small, legend, dt, .axis { color: var(--soft); }
    time, dt, dd { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    button { min-height: 44px; padding: 4px 12px; color: inherit; background: var(--raised);
      border: 1px solid var(--line); border-radius: 8px; font: inherit; cursor: pointer; }
    button:hover { border-color: var(--accent); } button:disabled { opacity: 0.4; }
    fieldset { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; padding: 0; border: 0; }
    legend { float: left; padding: 10px 8px 0 0; } input { accent-color: var(--accent); }
    fieldset label { display: flex; align-items: center; gap: 8px; min-height: 44px;
      padding: 4px 14px; border: 1px solid var(--line); border-radius: 22px; }
    fieldset label:has(:checked) { background: var(--raised); }
    #lanes { max-height: 40vh; overflow: auto; border: 1px solid var(--line);
      border-radius: 10px; cursor: pointer; overscroll-behavior: contain; }
    #scene { position: relative; min-width: 100%; padding-bottom: 8px; }
    #scene * { position: absolute; white-space: nowrap; } #scene .row { position: relative; }
    .row { height: 22px; } #scene .axis { position: sticky; top: 0; z-index: 2; height: 23px;
      background: var(--paper); border-bottom: 1px solid var(--line); font-size: 12px; }
    .axis span { padding: 2px 4px; border-left: 1px solid var(--line); }
    .gap { inset: 23px auto 0; border-left: 3px dotted var(--line); }
    #scene b { position: sticky; left: 0; padding: 0 8px; font-size: 13px; }
    .tick { top: 6px; width: 10px; height: 10px; margin-left: -5px; background: var(--change);
      transform: rotate(45deg); }
    .wait { top: 9px; height: 4px; background: var(--color); opacity: 0.6; }
    .bar { top: 2px; height: 18px; min-width: 12px; padding: 0 5px; overflow: hidden; color: #fff;
      background: var(--color); border-radius: 5px; font-size: 12px; text-overflow: ellipsis; }
    .bar.off { text-decoration: line-through; } .bar.fail::before { content: "✕ "; }
    .bar.open { border-radius: 5px 0 0 5px; } .bar.here { box-shadow: 0 0 0 2px var(--ink); }
    .open { --color: var(--open); } .done { --color: var(--done); } .fail { --color: var(--fail); }
    .off { --color: var(--off); } .join { --color: var(--join); } .change { --color: var(--change); }
    #line { inset: 0 auto; z-index: 3; border-left: 2px solid var(--accent); }
    nav { position: sticky; top: 0; z-index: 4; display: grid; gap: 6px; padding: 8px 0 12px;
      grid-template-columns: 1.7fr 1fr 1fr 1.7fr; background: var(--paper); }
    nav label, nav input, nav p { grid-column: 1 / -1; } nav p { display: none; }
    nav button { padding: 4px 0; } nav input { width: 100%; height: 28px; margin: 0; }
    kbd { padding: 0 5px; border: 1px solid var(--line); border-radius: 4px; font: inherit; }
    main { display: grid; gap: 20px; } #cause { margin-top: 6px; }
    #now, details { margin-bottom: 12px; border: 1px solid var(--line); border-radius: 10px; }
    #now { padding: 12px 14px; border-left: 5px solid var(--color); }
    summary { padding: 10px 14px; font-weight: 600; cursor: pointer; }
    dl { margin: 0; } dl div { padding: 6px 14px; border-top: 1px solid var(--line); }
    dd { margin: 0; white-space: pre-wrap; } dd ul { padding-left: 18px; font-weight: 600; }
    .changed { background: var(--mark); box-shadow: inset 4px 0 var(--change); }
    ol { position: relative; max-height: 70vh; margin: 8px 0; padding: 0; overflow: auto;
      list-style: none; border: 1px solid var(--line); border-radius: 10px; }
    ol button { display: flex; gap: 10px; width: 100%; border: 0; border-radius: 0;
      text-align: left; background: none; } ol button:focus-visible { outline-offset: -3px; }
    ol [aria-current] { background: var(--mark); box-shadow: inset 4px 0 var(--accent); }
    @media (min-width: 900px) { body { padding: 24px; }
      nav { grid-template-columns: 260px 120px 60px 60px 120px 1fr; align-items: center; }
      nav label, nav input, nav p { grid-column: auto; } nav input { grid-column: 2 / -1; }
      nav p { display: block; grid-column: 6; padding-left: 12px; } #changeBack { grid-column: 2; }
      main { grid-template-columns: 3fr 2fr; } ol button { min-height: 34px; }
      dl div { display: grid; grid-template-columns: 160px 1fr; gap: 12px; } }

    """
}

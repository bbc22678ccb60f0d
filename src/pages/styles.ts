/**
 * The stylesheet: tokens first, then elements, then the parts of pages. Logical properties only, so that right-to-left
 * follows by itself; light and dark follow the system.
 */
export const STYLESHEET = `@layer tokens, elements, parts, print;

@layer tokens {
  :root {
    color-scheme: light dark;
    --paper: #faf8f3;
    --raised: #f2eee4;
    --ink: #1c1a16;
    --quiet: #5b554a;
    --line: #d9d2c3;
    --palm: #1d5a3c;
    --amber: #7d5200;
    --red: #a02619;
    --step: 8px;
    --radius: 10px;
    --text: 1rem;
    --small: 0.875rem;
    --large: clamp(1.625rem, 1.3rem + 1.4vi, 2.25rem);
    --sans: 'IBM Plex Sans Arabic', 'Segoe UI', 'Noto Sans Arabic', 'Geeza Pro', system-ui, sans-serif;
    --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'Noto Sans Mono', 'DejaVu Sans Mono', monospace;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #151411;
      --raised: #201e19;
      --ink: #ece7db;
      --quiet: #aaa294;
      --line: #3a362e;
      --palm: #8bcca5;
      --amber: #e2b45f;
      --red: #f0948a;
    }
  }
}

@layer elements {
  *, ::before, ::after { box-sizing: border-box; }
  html { scroll-padding-block-start: calc(2 * var(--step)); text-size-adjust: 100%; }
  body {
    margin: 0;
    background: var(--paper);
    color: var(--ink);
    font: 400 var(--text) / 1.625 var(--sans);
    font-variant-numeric: tabular-nums;
    overflow-wrap: break-word;
  }
  h1, h2, h3, h4, b, strong, th, dt { font-weight: 600; }
  h1, h2, h3, h4 { line-height: 1.3; text-wrap: balance; margin-block: 0 var(--step); }
  h1 { font-size: var(--large); }
  h2, h3, h4 { font-size: var(--text); }
  p, ul, ol, dl, pre, figure { margin-block: 0 calc(2 * var(--step)); margin-inline: 0; }
  ul, ol { padding-inline-start: calc(3 * var(--step)); }
  a { color: var(--palm); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
  a:hover { text-decoration-thickness: 2px; }
  :focus-visible { outline: 3px solid var(--palm); outline-offset: 2px; border-radius: 3px; }
  main:focus { outline: none; }
  code, pre { font-family: var(--mono); font-size: 0.875em; }
  code { overflow-wrap: anywhere; }
  pre {
    padding: calc(2 * var(--step));
    overflow-x: auto;
    background: var(--raised);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    line-height: 1.5;
    text-align: start;
  }
  pre code { font-size: 1em; overflow-wrap: normal; }
  dd { margin: 0; }
  table { border-collapse: collapse; inline-size: 100%; font-size: var(--small); }
  th, td {
    padding: var(--step);
    text-align: start;
    vertical-align: top;
    border-block-end: 1px solid var(--line);
  }
  th { color: var(--quiet); }
  tbody th { color: inherit; }
  summary { cursor: pointer; }
}

@layer parts {
  .skip {
    position: absolute;
    inset-block-start: var(--step);
    inset-inline-start: var(--step);
    z-index: 1;
    padding: var(--step) calc(2 * var(--step));
    background: var(--palm);
    color: var(--paper);
    border-radius: var(--radius);
  }
  .skip:not(:focus) {
    block-size: 1px;
    inline-size: 1px;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .top {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: calc(2 * var(--step));
    padding: calc(2 * var(--step)) clamp(16px, 4vi, 40px);
    border-block-end: 1px solid var(--line);
  }
  .top nav a { display: inline-block; padding: var(--step); margin-inline-end: calc(-1 * var(--step)); }
  .brand {
    display: inline-flex;
    align-items: center;
    gap: var(--step);
    color: var(--ink);
    font-weight: 600;
    text-decoration: none;
  }
  .mark { color: var(--palm); }
  .sheet {
    max-inline-size: 44rem;
    margin-inline: auto;
    padding: calc(5 * var(--step)) clamp(16px, 4vi, 40px);
  }
  .sheet > section { margin-block-end: calc(3 * var(--step)); }
  .sheet pre { white-space: pre-wrap; }
  .sheet pre code { overflow-wrap: anywhere; }
  .overline { margin-block-end: var(--step); color: var(--quiet); font-size: var(--small); }
  .lead { max-inline-size: 40rem; margin-block-end: calc(4 * var(--step)); }
  .quiet { color: var(--quiet); }
  .facts { margin-block: calc(4 * var(--step)); border-block-start: 1px solid var(--line); }
  .facts > div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(2 * var(--step));
    padding-block: var(--step);
    border-block-end: 1px solid var(--line);
  }
  .facts dt { flex: 0 0 11rem; color: var(--quiet); }
  .facts dd { flex: 1 1 14rem; }

  .reference {
    max-inline-size: 78rem;
    margin-inline: auto;
    padding: calc(4 * var(--step)) clamp(16px, 4vi, 40px);
  }
  .contents { margin-block-end: calc(4 * var(--step)); font-size: var(--small); }
  .contents summary { padding-block: var(--step); font-weight: 600; }
  .contents ul { margin: 0; padding: 0; list-style: none; }
  .contents li ul { padding-inline-start: calc(1.5 * var(--step)); margin-block-end: var(--step); }
  .contents a { display: block; padding-block: 4px; color: inherit; text-decoration: none; }
  .contents a:hover { text-decoration: underline; }
  @media (min-width: 64rem) {
    .reference {
      display: grid;
      grid-template-columns: 16rem minmax(0, 1fr);
      gap: 0 calc(6 * var(--step));
      align-items: start;
    }
    .contents {
      position: sticky;
      inset-block-start: calc(2 * var(--step));
      max-block-size: calc(100vb - 4 * var(--step));
      overflow-y: auto;
      padding-inline-end: var(--step);
    }
    @supports selector(::details-content) {
      .contents details::details-content { content-visibility: visible; block-size: auto; }
      .contents summary { list-style: none; pointer-events: none; }
      .contents summary::-webkit-details-marker { display: none; }
    }
  }
  .chapter { margin-block-end: calc(7 * var(--step)); }
  .chapter > h2 {
    font-size: var(--large);
    padding-block-end: var(--step);
    border-block-end: 1px solid var(--line);
    margin-block-end: calc(3 * var(--step));
  }
  .operation { padding-block: calc(3 * var(--step)); border-block-end: 1px solid var(--line); }
  .operation:last-child { border-block-end: 0; }
  .operation h4 { margin-block-start: calc(3 * var(--step)); color: var(--quiet); }
  .address { margin-block-end: var(--step); }
  .address code { font-size: var(--text); }
  .method {
    padding: 0 var(--step);
    border: 1px solid currentColor;
    border-radius: 6px;
    font: 600 var(--small) / 1.6 var(--mono);
  }
  .wide { overflow-x: auto; margin-block-end: calc(2 * var(--step)); }
  .wide table { min-inline-size: 34rem; }
  .wide th code { overflow-wrap: normal; white-space: nowrap; }
  .codes {
    margin: 0;
    padding: 0;
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(2 * var(--step));
  }
  .steps > li { margin-block-end: calc(3 * var(--step)); padding-inline-start: var(--step); }
  .steps > li::marker { font-weight: 600; color: var(--palm); }
  .lifecycle { overflow-x: auto; }
  .lifecycle svg {
    display: block;
    min-inline-size: 36rem;
    max-inline-size: 44rem;
    inline-size: 100%;
    block-size: auto;
  }
  .lifecycle rect { fill: var(--raised); stroke: var(--line); }
  .lifecycle .end rect { stroke: var(--ink); stroke-width: 2; }
  .lifecycle text {
    fill: var(--ink);
    font: 600 13px var(--mono);
    text-anchor: middle;
    dominant-baseline: central;
  }
  .lifecycle path { fill: none; stroke: var(--quiet); stroke-width: 1.5; }
  .lifecycle .tip { fill: var(--quiet); stroke: none; }
}

@layer print {
  @media print {
    :root { --paper: #fff; --raised: #fff; --ink: #000; --quiet: #333; --line: #999; --palm: #000; }
    .skip, .top nav, .contents { display: none; }
    .reference { display: block; }
    .sheet, .reference { max-inline-size: none; padding-inline: 0; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    pre, tr, .facts > div, .steps > li { break-inside: avoid; }
    h2, h3, h4 { break-after: avoid; }
    .chapter { break-before: page; }
  }
}
`;

import { type Html, type HtmlValue, html } from '../../http/web/html.ts';

/** A block of code. It scrolls sideways, so it needs keyboard focus and an accessible name. A script adds a button that copies it. */
export function codeBlock(code: string, label: string): Html {
  return html`<div class="code"><pre dir="ltr" tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre></div>`;
}

/** A table that scrolls sideways on a narrow screen. The first cell of a row is its heading. */
export function table(label: string, head: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  const headings = head.map((text) => html`<th scope="col">${text}</th>`);
  const lines = rows.map(
    ([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  );
  return html`<div class="wide" tabindex="0" role="group" aria-label="${label}"><table>
<thead><tr>${headings}</tr></thead>
<tbody>
${lines}</tbody></table></div>`;
}

/** A code, a name or a number. It stays left-to-right in every language. */
export function code(text: string): Html {
  return html`<bdi dir="ltr"><code>${text}</code></bdi>`;
}

/** A text that exists in English only. What is between backticks is code. */
export function english(text: string): Html {
  const pieces = text.split('`');
  return html`<span lang="en" dir="ltr">${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}</span>`;
}

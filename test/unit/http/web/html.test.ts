import { describe, expect, it } from 'vitest';
import { escapeHtml, html } from '../../../../src/http/web/html.ts';

const HOSTILE = `"><script>alert('1')</script>&amp;`;
const INERT = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;';

describe('html', () => {
  it('escapes a hostile string in text and in attributes', () => {
    expect(escapeHtml(HOSTILE)).toBe(INERT);
    expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.markup).toBe(`<p title="${INERT}">${INERT}</p>`);
  });

  it('keeps safe markup and joins lists', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>${undefined}${7}`.markup).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>7');
  });
});

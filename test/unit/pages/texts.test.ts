import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { readText } from '../../../scripts/shared/repository-file.ts';
import { guideMarkdown } from '../../../src/pages/guides/guide.ts';
import { filledText } from '../../../src/pages/guides/placeholders.ts';
import { LIMITS } from '../../../src/pages/limits.ts';
import { renderMarkdown } from '../../../src/pages/reference/markdown.ts';
import { siteText } from '../../../src/pages/text.ts';

const context = { document: openApiDocument, locale: 'en', baseUrl: 'https://sandbox.example', readText } as const;

describe('a text', () => {
  it('with an unknown placeholder is not built', () => {
    const broken = {
      ...context,
      readText: (path: string) => readText(path).replace('{{table posts}}', '{{table puts}}'),
    };
    expect(() => filledText(siteText(broken, 'guides/retries'), broken)).toThrow(
      /retries\.en\.md:\d+: There is no \{\{table puts\}\}$/,
    );
  });

  it('as Markdown has its values, without anchors and front matter', () => {
    const text = guideMarkdown(context, 'limits');
    expect(text.startsWith('# Limits\n\n> How often you may call')).toBe(true);
    expect(text).toContain('\n## Numbers and texts\n');
    expect(text).toContain(`| entries on a page of a list | ${LIMITS.pageMax} | 400 [LIMIT_OUT_OF_RANGE]`);
    const steps = guideMarkdown(context, 'first-shipment');
    expect(steps).toContain('\n   ```curl POST /oauth/token\n   curl ');
  });
});

describe('Markdown', () => {
  it('keeps the language of links, and Latin words left-to-right', () => {
    expect(renderMarkdown('اقرأ [الحدود](/docs/limits#sizes) و `ETag` و UUID.', 'ar').markup).toBe(
      '<p>اقرأ <a href="/docs/limits?lang=ar#sizes">الحدود</a> و <bdi dir="ltr"><code>ETag</code></bdi> و <bdi dir="ltr">UUID</bdi>.</p>',
    );
    expect(renderMarkdown('See https://example.com and [RFC](https://rfc.example/9110).', 'en').markup).toBe(
      '<p>See https://example.com and <a href="https://rfc.example/9110">RFC</a>.</p>',
    );
  });

  it('escapes everything, and has no markup that pages do not style', () => {
    expect(renderMarkdown('1 < 2 & `<b>`', 'en').markup).toBe(
      '<p>1 &lt; 2 &amp; <bdi dir="ltr"><code>&lt;b&gt;</code></bdi></p>',
    );
    for (const text of ['<b>bold</b>', 'a <b>bold</b> word', '> quoted', '![picture](/a.png)', '*weak*', '---'])
      expect(() => renderMarkdown(text, 'en'), text).toThrow(/^Texts have no markup for /);
  });

  it('makes one choice of blocks of code with the same label', () => {
    const { markup } = renderMarkdown('```curl GET /a\n1\n```\n\n```PHP GET /a\n2\n```\n\n```shell\n3\n```', 'en');
    expect(markup.match(/<details name="get-a-samples"/g)).toHaveLength(2);
    expect(markup).toContain('aria-label="shell"><code>3</code>');
  });
});

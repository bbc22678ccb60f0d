import { describe, expect, it } from 'vitest';
import { findMistakes, textPaths } from '../../../scripts/build/texts.ts';
import { readText } from '../../../scripts/shared/repository-file.ts';
import { textPath } from '../../../src/pages/text.ts';

const english = textPath('guides/retries', 'en');
const arabic = textPath('guides/retries', 'ar');
/** The mistakes after a change of one text, or without it. */
function mistakesWith(path: string, change: (text: string) => string | undefined): readonly string[] {
  const changed = change(readText(path));
  const paths = changed === undefined ? textPaths().filter((one) => one !== path) : textPaths();
  return findMistakes({ paths, readText: (one) => (one === path ? (changed ?? '') : readText(one)) });
}

/** The number of the line that contains a text. */
function lineOf(path: string, part: string): number {
  const index = readText(path)
    .split('\n')
    .findIndex((line) => line.includes(part));
  expect(index).toBeGreaterThanOrEqual(0);
  return index + 1;
}

describe('the check of the texts', () => {
  const line = lineOf(english, 'Repeat a GET');
  const added = (words: string) => (text: string) => text.replace('Repeat a GET', `${words}. Repeat a GET`);

  it.each([
    ['a limit that does not exist', 'At most {{limits.pages}}', 'There is no {{limits.pages}}'],
    ['a member of every object', '{{limits.constructor}}', 'There is no {{limits.constructor}}'],
    ['a duration without a limit', '{{duration ten}}', 'There is no {{duration ten}}'],
    ['a table that does not exist', '{{table operations}}', 'There is no {{table operations}}'],
    ['an operation that does not exist', '{{samples shipments.fly}}', 'There is no {{samples shipments.fly}}'],
    ['a placeholder without an end', 'At most {{limits.pageMax', 'A placeholder has no end or no start'],
    ['a number with a unit', 'Wait 20 seconds', '"20 seconds" is a limit: take it from a placeholder'],
    ['a unit in Arabic', 'انتظر 20 ثانية', '"20 ثانية" is a limit: take it from a placeholder'],
  ])('names file and line of %s', (_what, words, message) => {
    expect(mistakesWith(english, added(words))).toEqual([`${english}:${line}: ${message}`]);
  });

  // One test, because it renders all pages. Nothing else of the repository is a mistake.
  it('names file and line of pages, anchors and problems that do not exist', () => {
    const nowhere = ['/docs/retry', '/docs/limits#speed', '/problems/no-problem'];
    const links = nowhere.map((path) => `[here](${path})`).join(' ');
    expect(mistakesWith(english, added(links))).toEqual(
      nowhere.map((path) => `${english}:${line}: ${path} leads nowhere`),
    );
  });

  it('names the heading that the other language does not have', () => {
    const heading = lineOf(english, '{#timeouts}');
    expect(mistakesWith(arabic, (text) => text.replace(/^## .*\{#timeouts\}$/m, ''))).toEqual([
      `${english}:${heading}: ${arabic} has no heading ## {#timeouts}`,
    ]);
  });

  it('names a heading without an anchor, in both places', () => {
    const heading = lineOf(english, '{#timeouts}');
    expect(mistakesWith(english, (text) => text.replace(' {#timeouts}', ''))).toEqual([
      `${english}:${heading}: A heading has ## or ###, a name and an anchor, as in "## Name {#anchor}"`,
      `${arabic}:${lineOf(arabic, '{#timeouts}')}: ${english} has no heading ## {#timeouts}`,
    ]);
  });

  it('names a word of the front matter that one language lacks', () => {
    const lacking = mistakesWith(arabic, (text) => text.replace(/^newCode: .*\n/m, ''));
    expect(lacking).toContain(`${arabic}:1: The front matter has no newCode, but ${english} does`);
    expect(lacking).toContain(`${arabic}:1: The front matter has no newCode`);
    const idle = (text: string) => text.replace('lead: ', 'unused: 1\nlead: ');
    expect(mistakesWith(english, idle)).toContain(`${english}:1: Nothing shows the word unused of the front matter`);
  });

  it('names a translation that is missing, and a text that no page shows', () => {
    expect(mistakesWith(arabic, () => undefined)).toEqual([`${arabic}:1: This text is missing`]);
    const stray = 'docs/site/guides/speed.en.md';
    expect(findMistakes({ paths: [...textPaths(), stray], readText })).toEqual([`${stray}:1: No page shows this text`]);
  });
});

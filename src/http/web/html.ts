/** Safe markup: every value in it was escaped or was already safe markup. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type { Html };

/** A value in a template. Text and numbers are escaped, lists are joined, `undefined` prints nothing. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/**
 * A template of HTML or SVG. Values are safe in text and in quoted attributes. They are not safe in a script, in a style
 * or in the name of a tag. Check an address from outside before you use it as a link.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.map((text, index) => text + printed(values[index])).join(''));
}

/** Replaces the five characters that have a meaning in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function printed(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(printed).join('');
}

/** Markup that is safe to print: every value that went into it was escaped or was markup itself. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type { Html };

/** What a template may hold. Text and numbers are escaped, lists are joined, `undefined` prints nothing. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/**
 * A template of HTML or SVG. Its values stand in text or in quoted attributes; they are inert there, but they are not
 * in a script, in a style or in the name of a tag. An address from outside must be checked before it becomes a link.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.map((text, index) => text + printed(values[index])).join(''));
}

/** The text with the five characters replaced that mean something in HTML. */
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

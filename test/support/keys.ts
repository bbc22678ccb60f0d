import type { Download, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The language of a page, and the words of a control in English and in Arabic. */
export type Language = 'en' | 'ar';
export type Words = readonly [en: string, ar: string];
type Role = Parameters<Page['getByRole']>[0];

/** More elements than a page has between two that a person uses one after the other. */
const TABS_MAX = 200;

/** A person without a mouse. Controls are found by role and name, reached by the Tab key alone, and used by keys. */
export interface Keys {
  readonly page: Page;
  readonly word: (words: Words) => string;
  /** A control. While a dialog is open, one in the dialog, because keys reach nothing else. */
  find(role: Role, words: Words | RegExp, within?: Locator): Promise<Locator>;
  /** Goes to a control with the Tab key. Its focus must be visible. */
  reach(target: Locator): Promise<void>;
  press(role: Role, words: Words | RegExp, within?: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(words: Words, text: string, within?: Locator): Promise<void>;
  /** Chooses an option of a list by its value, with the arrow keys. */
  choose(words: Words, value: string): Promise<void>;
  toggle(role: 'checkbox' | 'radio' | 'switch', words: Words | RegExp): Promise<void>;
  /** Opens the browser's dialog for files from a field. */
  attach(
    input: Locator,
    file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
  ): Promise<void>;
  download(words: Words | RegExp): Promise<Download>;
  /** Waits for the effect of the last key. The focus must be on something that is shown, not lost to the page. */
  see(shown: Words | RegExp | Locator): Promise<void>;
  /** Waits for a page by its heading. The focus must be in the page, as screen readers begin there. */
  arrive(heading: Words | string | RegExp): Promise<void>;
  /** The text of the element with the focus. */
  focused(): Promise<string>;
}

export function keysOn(page: Page, language: Language): Keys {
  page.setDefaultTimeout(15_000);
  // The browser's dialog for files becomes an event only some time after somebody listens.
  page.on('filechooser', () => undefined);
  const word = ([en, ar]: Words) => (language === 'en' ? en : ar);
  const nameOf = (words: Words | RegExp) =>
    words instanceof RegExp ? { name: words } : { name: word(words), exact: true };
  const keys: Keys = {
    page,
    word,
    async find(role, words, within) {
      const dialog = page.getByRole('dialog');
      const root = within ?? ((await dialog.count()) > 0 ? dialog : page);
      return root.getByRole(role, nameOf(words)).first();
    },
    async reach(target) {
      await target.waitFor();
      const isReached = () => target.evaluate((element) => element === document.activeElement);
      for (let tabs = 0; !(await isReached()); tabs += 1) {
        if (tabs >= TABS_MAX) throw new Error(`The keyboard does not come to ${target.toString()}`);
        // A list that comes later may move the focus to one of its rows.
        await page.keyboard.press((await target.evaluate(isBeforeFocus)) ? 'Shift+Tab' : 'Tab');
      }
      expect(await target.evaluate(hasVisibleFocus), target.toString()).toBe(true);
    },
    async press(role, words, within) {
      const target = await keys.find(role, words, within);
      await keys.reach(target);
      await target.and(page.locator(':not([aria-disabled="true"])')).waitFor();
      await page.keyboard.press('Enter');
    },
    async type(words, text, within) {
      const field = await fieldOf(words, within);
      await keys.reach(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    },
    async choose(words, value) {
      const field = await fieldOf(words);
      await keys.reach(field);
      await page.keyboard.press('Home');
      for (let left = 100; (await field.inputValue()) !== value; left -= 1) {
        if (left === 0) throw new Error(`${field.toString()} has no option ${value}`);
        await page.keyboard.press('ArrowDown');
      }
    },
    async toggle(role, words) {
      await keys.reach(await keys.find(role, words));
      await page.keyboard.press('Space');
    },
    async attach(input, file) {
      await keys.reach(input);
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
      await chooser.setFiles(file);
    },
    async download(words) {
      await keys.reach(await keys.find('button', words));
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      return download;
    },
    async see(shown) {
      const found =
        shown instanceof RegExp
          ? page.getByText(shown)
          : 'waitFor' in shown
            ? shown
            : page.getByText(word(shown), { exact: true });
      await found.first().waitFor();
      await page.waitForFunction(isFocusShown);
    },
    async arrive(heading) {
      const name = typeof heading === 'string' || heading instanceof RegExp ? heading : word(heading);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await page.waitForFunction(() => document.activeElement?.closest('main') !== null);
    },
    focused: () => page.evaluate(() => document.activeElement?.textContent ?? ''),
  };
  const fieldOf = async (words: Words, within?: Locator) => {
    const dialog = page.getByRole('dialog');
    const root = within ?? ((await dialog.count()) > 0 ? dialog : page.locator('main'));
    return root.getByLabel(word(words), { exact: true }).first();
  };
  return keys;
}

/** Whether an element comes before the one with the focus, so that Shift and Tab lead to it. */
function isBeforeFocus(element: Element): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return false;
  return (activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

/** A field for files is drawn by its label. */
function hasVisibleFocus(element: Element): boolean {
  const drawn = [element, element.closest('label')].flatMap((one) => (one === null ? [] : getComputedStyle(one)));
  return drawn.some(
    ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
  );
}

function isFocusShown(): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && activeElement.checkVisibility();
}

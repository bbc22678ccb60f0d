import type { Locator, Page } from 'playwright-core';

/** The label of the field with the focus. */
export function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement instanceof HTMLInputElement ? (activeElement.labels?.[0]?.textContent ?? null) : null;
  });
}

/** Pastes text into a field, without the clipboard that all pages of a browser share. */
export async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((input, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

import { announce } from './announce.ts';

/** Shows the buttons that copy, which could do nothing without this. */
export function enableCopying(within: ParentNode): void {
  // Only pages over TLS, and those of the machine itself, may write to the clipboard.
  if (!('clipboard' in navigator)) return;
  for (const button of within.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
}

async function copy({ dataset }: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(dataset['copy'] ?? '');
    announce(dataset['copied'] ?? '');
  } catch {
    // The reader has forbidden it: the number can be selected by hand, and nothing is said to be copied.
  }
}

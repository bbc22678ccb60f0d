import { readText } from '../../core/typed/text.ts';
import { keptHere } from '../../ui/kept-here.ts';
import { type Found, search } from './search.ts';
import { prepareTrials } from './trial.ts';

/* The script of the reference: copy buttons, one language for all samples, the search, and requests. Every page is readable without it. */

const TEXTS = {
  en: { copy: 'Copy', copied: 'Copied', nothing: 'Nothing found.', failed: 'The search is not available.' },
  ar: { copy: 'نسخ', copied: 'تم النسخ', nothing: 'لا توجد نتائج.', failed: 'البحث غير متاح.' },
} as const;

/** Where the language of samples is kept in the browser. */
const LANGUAGE = 'sample-language';

const locale = document.documentElement.lang === 'ar' ? 'ar' : 'en';
const text = TEXTS[locale];

addCopyButtons();
prepareSearch();
rememberLanguage();
prepareTrials();

function addCopyButtons(): void {
  // Browsers allow the clipboard only over HTTPS and on localhost.
  if (!('clipboard' in navigator)) return;
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('pre');
    if (code === null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text.copy;
    const name = `${text.copy}: ${code.getAttribute('aria-label') ?? ''}`;
    button.setAttribute('aria-label', name);
    button.addEventListener('click', () => void copy(code.textContent, button, name));
    block.append(button);
  }
}

const COPIED_MS = 2_000;

async function copy(code: string, button: HTMLButtonElement, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    // The browser denied access. People can still select the text.
    return;
  }
  button.textContent = text.copied;
  button.setAttribute('aria-label', text.copied);
  setTimeout(() => {
    button.textContent = text.copy;
    button.setAttribute('aria-label', name);
  }, COPIED_MS);
}

/** Opens all samples in the language that the reader chose last. */
function rememberLanguage(): void {
  const samples = [...document.querySelectorAll('.samples')];
  const open = (language: string, clicked?: HTMLDetailsElement) => {
    for (const one of samples) {
      const part = [...one.querySelectorAll('details')].find((each) => languageOf(each) === language);
      // The browser opens the clicked one itself, and closes the others, because they have the same name.
      if (part !== undefined && part !== clicked) part.open = true;
    }
  };
  const known = keptHere.getItem(LANGUAGE);
  if (known !== null) open(known);
  for (const summary of document.querySelectorAll<HTMLElement>('.samples summary')) {
    summary.addEventListener('click', () => {
      const part = summary.closest('details');
      // The event comes before the change.
      if (part === null || part.open) return;
      const top = summary.getBoundingClientRect().top;
      keptHere.setItem(LANGUAGE, languageOf(part));
      open(languageOf(part), part);
      // Samples above may have become longer or shorter.
      scrollBy({ top: summary.getBoundingClientRect().top - top, behavior: 'instant' });
    });
  }
}

function languageOf(part: HTMLDetailsElement): string {
  return part.querySelector('summary')?.textContent ?? '';
}

/** The index is loaded when the reader first uses the search. */
let index: Promise<readonly Found[]> | undefined;

function loadIndex(): Promise<readonly Found[]> {
  index ??= fetch(`/docs/search.json?lang=${locale}`).then((response) => {
    if (!response.ok) throw new Error(`The index answered ${response.status}`);
    return response.json() as Promise<readonly Found[]>;
  });
  return index;
}

function prepareSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#find');
  const [list, news] = [document.getElementById('found'), document.getElementById('find-news')];
  if (field === null || list === null || news === null) return;
  field.addEventListener('focus', () => void loadIndex().catch(() => (index = undefined)));
  field.addEventListener('input', () => void show(field, list, news));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click();
    if (event.key === 'ArrowDown') list.querySelector('a')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}

async function show(field: HTMLInputElement, list: HTMLElement, news: HTMLElement): Promise<void> {
  const question = field.value;
  try {
    const found = search(await loadIndex(), question);
    // The reader has typed more meanwhile.
    if (field.value !== question) return;
    list.replaceChildren(...found.map(itemOf));
    news.textContent = found.length === 0 && readText(question) !== '' ? text.nothing : '';
  } catch {
    index = undefined;
    news.textContent = text.failed;
  }
}

function itemOf({ title, address, note }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = address;
  const name = document.createElement('bdi');
  name.textContent = title;
  link.append(name);
  if (note !== undefined) {
    const line = document.createElement('bdi');
    line.className = 'quiet';
    line.textContent = note;
    link.append(line);
  }
  const item = document.createElement('li');
  item.append(link);
  return item;
}

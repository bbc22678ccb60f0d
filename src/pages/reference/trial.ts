import { indentedJson, parsePlainJson, parseStored } from '../../core/json.ts';
import { variableOf } from './sample-request.ts';

/* Sends the requests of the forms that `trial-form.ts` makes. The browser adds the session cookie of the console. */

const TEXTS = {
  en: {
    missing: 'Fill in first:',
    sending: 'Sending …',
    unsent: 'The request could not be sent. Check the address and the headers.',
    signIn: 'You are not signed in to the console.',
    binary: 'bytes, not text',
  },
  ar: {
    missing: 'املأ أولًا:',
    sending: 'جارٍ الإرسال …',
    unsent: 'تعذّر إرسال الطلب. تحقق من العنوان والترويسات.',
    signIn: 'لم تسجّل الدخول إلى لوحة التحكم.',
    binary: 'بايت وليست نصًا',
  },
} as const;

const text = TEXTS[document.documentElement.lang === 'ar' ? 'ar' : 'en'];

/** A word that stands for a value, as in the samples. */
const VARIABLE = /\$([A-Z]+(?:_[A-Z]+)*)/g;
/** Where the values of earlier answers are kept in the browser, until its tab is closed. */
const VALUES = 'trial-values';

export function prepareTrials(): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('.trial')) {
    const form = details.querySelector('form');
    if (form === null) continue;
    details.addEventListener('toggle', () => fill(form), { once: true });
    // The browser restores the example after this event.
    form.addEventListener('reset', () => setTimeout(() => fill(form)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}

type Values = Readonly<Record<string, string>>;

function fieldsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
}

/** Replaces the variables that have a value. */
function fill(form: HTMLFormElement): void {
  const id = crypto.randomUUID();
  const values: Values = { ...storedValues(), IDEMPOTENCY_KEY: id, EXTERNAL_REFERENCE: `TRY-${id.slice(0, 8)}` };
  for (const field of fieldsOf(form))
    field.value = field.value.replaceAll(VARIABLE, (word, name: string) => values[name] ?? word);
}

async function send(form: HTMLFormElement): Promise<void> {
  const [address, headers, body] = fieldsOf(form);
  const news = form.querySelector('[role="status"]');
  if (address === undefined || headers === undefined || news === null) return;
  const open = [address, headers].find(({ value }) => value.search(VARIABLE) >= 0);
  if (open !== undefined) {
    news.textContent = `${text.missing} ${open.value.match(VARIABLE)?.join(', ')}`;
    open.focus();
    return;
  }
  news.textContent = text.sending;
  try {
    const response = await fetch(address.value, {
      method: form.dataset['method'] ?? 'GET',
      headers: headersOf(headers.value),
      ...(body === undefined ? {} : { body: body.value }),
      cache: 'no-store',
    });
    await show(form, news, response);
  } catch {
    news.textContent = text.unsent;
  }
}

/** Lines of a name and a value. */
function headersOf(lines: string): [string, string][] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    });
}

async function show(form: HTMLFormElement, news: Element, response: Response): Promise<void> {
  const body = await bodyOf(response);
  const parts = form.querySelectorAll('pre');
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const shown = [headers.join('\n'), indentedJson(body)];
  for (const [index, part] of parts.entries()) part.textContent = shown[index] ?? '';
  form.querySelector('[hidden]')?.removeAttribute('hidden');
  const status = document.createElement('bdi');
  status.textContent = `HTTP ${response.status}`;
  news.replaceChildren(status, response.status === 401 ? ` ${text.signIn}` : '');
  if (response.ok) storeValues({ ...storedValues(), ...valuesOf(response, parsePlainJson(body)) });
}

async function bodyOf(response: Response): Promise<string> {
  const isText = /json|text|zpl|^$/.test(response.headers.get('content-type') ?? '');
  return isText ? response.text() : `${(await response.blob()).size} ${text.binary}`;
}

/** The identifiers in an answer, or in the first entry of a list, and its entity tag. */
function valuesOf({ headers }: Response, body: unknown): Values {
  const list = isObject(body) ? body['data'] : undefined;
  const first: unknown = Array.isArray(list) ? list[0] : body;
  const ids = isObject(first) ? Object.entries(first).filter(([name]) => name.endsWith('Id')) : [];
  const texts = ids.flatMap(([name, value]) => (typeof value === 'string' ? [[variableOf(name), value] as const] : []));
  const tag = headers.get('etag');
  return { ...Object.fromEntries(texts), ...(tag === null ? {} : { ETAG: tag }) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function storedValues(): Values {
  try {
    return parseStored<Values>(sessionStorage.getItem(VALUES) ?? '{}');
  } catch {
    return {};
  }
}

function storeValues(values: Values): void {
  try {
    sessionStorage.setItem(VALUES, JSON.stringify(values));
  } catch {
    // Readers then copy the values themselves.
  }
}

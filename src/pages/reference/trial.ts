import { indentedJson, parsePlainJson, parseStored } from '../../core/json.ts';
import { readText } from '../../core/typed/text.ts';
import { fillBody, forgetHandedOver, handedOver, type SentAgain, withNewReferences } from '../../ui/send-again.ts';
import { variableOf } from './sample-request.ts';
import { holderHeaders, renewHolder, showHolder } from './trial-holder.ts';

/* Sends the requests of the forms that `trial-form.ts` makes. The browser adds the session cookie of the console. */

const TEXTS = {
  en: {
    missing: 'Fill in first:',
    sending: 'Sending …',
    unsent: 'The request could not be sent. Check the address and the headers.',
    unknown: 'You are not signed in.',
    signIn: 'Sign in to the console',
    binary: 'bytes, not text',
    again: 'This request comes from the request log.',
    newKey: 'Its Idempotency-Key is new.',
    newReference: 'Its reference is new, because each is used once.',
    examples: 'The log hides values, so these are examples:',
    leftOut: 'These are left out, because there is no example:',
    noBody: 'The log has no body of it, so the body is an example.',
    check: 'Check it, then send it.',
  },
  ar: {
    missing: 'املأ أولًا:',
    sending: 'جارٍ الإرسال …',
    unsent: 'تعذّر إرسال الطلب. تحقق من العنوان والترويسات.',
    unknown: 'لم تسجّل الدخول.',
    signIn: 'سجّل الدخول إلى لوحة التحكم',
    binary: 'بايت وليست نصًا',
    again: 'هذا الطلب من سجل الطلبات.',
    newKey: 'مفتاح Idempotency-Key جديد.',
    newReference: 'رقمه المرجعي جديد، لأن كل رقم يُستخدم مرة واحدة.',
    examples: 'يخفي السجل القيم، فهذه أمثلة:',
    leftOut: 'حُذفت هذه إذ لا مثال لها:',
    noBody: 'ليس في السجل متنه، فالمتن مثال.',
    check: 'راجعه ثم أرسله.',
  },
} as const;

const locale = document.documentElement.lang === 'ar' ? 'ar' : 'en';
const text = TEXTS[locale];

/** A word that stands for a value, as in the samples. */
const VARIABLE = /\$([A-Z]+(?:_[A-Z]+)*)/g;
/** Where the values of earlier answers are kept in the browser, until its tab is closed. */
const VALUES = 'trial-values';

export function prepareTrials(): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('.trial')) {
    const form = details.querySelector('form');
    if (form === null) continue;
    const begin = () => {
      fill(form);
      void showHolder(form);
    };
    details.addEventListener('toggle', begin, { once: true });
    // The browser restores the example after this event.
    form.addEventListener('reset', () => setTimeout(() => fill(form)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
  }
  openOperation(location.hash.slice(1));
}

/** Opens the operation of the address, and its form if the request log handed over a request. */
function openOperation(anchor: string): void {
  const place = document.getElementById(anchor);
  // On the first page the operation is an item of the index, with a link to its own page.
  const link = place instanceof HTMLLIElement ? place.querySelector('a') : null;
  if (link !== null) {
    location.replace(link.href);
    return;
  }
  const request = handedOver(anchor, Date.now());
  forgetHandedOver();
  const form = place?.parentElement?.querySelector<HTMLFormElement>('.trial form');
  if (request === undefined || form === null || form === undefined) return;
  const note = fillAgain(form, request);
  note.tabIndex = -1;
  form.prepend(note);
  form.addEventListener('reset', () => note.remove(), { once: true });
  const details = form.closest('details');
  if (details !== null) details.open = true;
  afterLoad(() => {
    details?.scrollIntoView({ behavior: 'instant' });
    note.focus({ preventScroll: true });
  });
}

/** Acts after the browser has moved to the fragment of the address, which it does until the page is loaded and drawn. */
function afterLoad(act: () => void): void {
  const drawn = () => requestAnimationFrame(() => setTimeout(act));
  if (document.readyState === 'complete') drawn();
  else addEventListener('load', drawn, { once: true });
}

/** Fills the form with what the log kept of a request. Returns sentences that say what it did not keep. */
function fillAgain(form: HTMLFormElement, { path, status, requestHeaders, requestBody }: SentAgain): HTMLElement {
  const [address, headers, body] = fieldsOf(form);
  const note = document.createElement('p');
  note.append(text.again);
  const add = (sentence: string, names: readonly string[] = []) => note.append(` ${sentence}`, ...listOf(names));
  if (address !== undefined)
    address.value = path.replaceAll(/<(\w+)>/g, (_mask, name: string) => `$${variableOf(name)}`);
  const isRead = requestBody !== null || Object.keys(requestHeaders).length > 0;
  // A request that was refused before it was read is in the log without headers.
  if (headers !== undefined && isRead) headers.value = headersAgain(headers.value, requestHeaders);
  if (headers?.value.includes('$IDEMPOTENCY_KEY') === true) add(text.newKey);
  if (body !== undefined && requestBody === null) add(text.noBody);
  if (body !== undefined && requestBody !== null) {
    const example = parsePlainJson(body.value);
    const renewed = withNewReferences(requestBody, status);
    const filled = fillBody(renewed, example);
    body.value = JSON.stringify(filled.body, null, 2);
    if (renewed !== requestBody) add(text.newReference);
    if (filled.examples.length > 0) add(text.examples, filled.examples);
    if (filled.leftOut.length > 0) add(text.leftOut, filled.leftOut);
  }
  add(text.check);
  return note;
}

/** The headers of a logged request as lines. Hidden values are those of the example, or have to be filled in. */
function headersAgain(lines: string, requestHeaders: SentAgain['requestHeaders']): string {
  const example = new Map(headersOf(lines));
  const values = Object.entries(requestHeaders).map(([name, value]) => {
    if (name !== 'Idempotency-Key' && !value.startsWith('<')) return [name, value];
    return [name, example.get(name) ?? `$${name.replaceAll('-', '_').toUpperCase()}`];
  });
  const type = example.get('Content-Type');
  return [...values, ...(type === undefined ? [] : [['Content-Type', type]])].map((line) => line.join(': ')).join('\n');
}

/** Names of members in the running text. */
function listOf(names: readonly string[]): readonly (string | Node)[] {
  return names.flatMap((name, index) => {
    const code = document.createElement('code');
    code.textContent = name;
    const isolated = document.createElement('bdi');
    isolated.dir = 'ltr';
    isolated.append(code);
    return [index === 0 ? ' ' : ', ', isolated, index === names.length - 1 ? '.' : ''];
  });
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
    const response = await fetch(readText(address.value), {
      method: form.dataset['method'] ?? 'GET',
      headers: withLanguage([...headersOf(headers.value), ...(await holderHeaders(form))]),
      ...(body === undefined ? {} : { body: body.value }),
      cache: 'no-store',
    });
    await show(form, news, response);
  } catch {
    news.textContent = text.unsent;
  }
}

/** The browser's own Accept-Language may be longer than operations accept. */
function withLanguage(headers: readonly [string, string][]): [string, string][] {
  const isNamed = headers.some(([name]) => name.toLowerCase() === 'accept-language');
  return isNamed ? [...headers] : [['accept-language', locale], ...headers];
}

/** Lines of a name and a value. */
function headersOf(lines: string): [string, string][] {
  return lines
    .split('\n')
    .filter((line) => readText(line) !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':');
      return [readText(name), readText(value.join(':'))];
    });
}

async function show(form: HTMLFormElement, news: Element, response: Response): Promise<void> {
  const body = await bodyOf(response);
  const isChanged = response.status === 409 && body.includes('"SESSION_CHANGED"');
  const parts = form.querySelectorAll('pre');
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const shown = [headers.join('\n'), indentedJson(body)];
  for (const [index, part] of parts.entries()) part.textContent = shown[index] ?? '';
  form.querySelector('[hidden]')?.removeAttribute('hidden');
  const status = document.createElement('bdi');
  status.textContent = `HTTP ${response.status}`;
  news.replaceChildren(status, ...(response.status === 401 ? [` ${text.unknown} `, consoleLink()] : []));
  if (isChanged) news.append(` ${await renewHolder(form)}`);
  if (response.ok) storeValues({ ...storedValues(), ...valuesOf(response, parsePlainJson(body)) });
}

function consoleLink(): HTMLElement {
  const link = document.createElement('a');
  link.href = `/console?lang=${locale}`;
  link.textContent = text.signIn;
  return link;
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

import { ACTING_AS, actingAsText } from '../../core/acting-as.ts';

/* Whose session the forms send their requests with. Another tab may sign in somebody else: their requests are refused then. */

const TEXTS = {
  en: { sends: 'Sends as:', changed: 'Somebody else is signed in now. Nothing was done.' },
  ar: { sends: 'يُرسل باسم:', changed: 'تم تسجيل الدخول بحساب آخر الآن. لم يُنفَّذ شيء.' },
} as const;
const text = TEXTS[document.documentElement.lang === 'ar' ? 'ar' : 'en'];

interface Session {
  readonly person: { readonly personId: string; readonly fullName: string };
  readonly company: { readonly companyId: string; readonly name: string } | null;
}

let holder: Promise<Session | undefined> | undefined;

/** Shows at the head of the form whose session it uses. */
export async function showHolder(form: HTMLFormElement): Promise<void> {
  holder ??= readHolder();
  const session = await holder;
  form.querySelector('.holder')?.remove();
  if (session === undefined) return;
  const line = document.createElement('p');
  line.className = 'holder';
  const names = [session.company?.name, session.person.fullName].filter((name) => name !== undefined).map(isolated);
  line.append(`${text.sends} `, ...names.flatMap((name, index) => (index === 0 ? [name] : [' · ', name])));
  form.prepend(line);
}

/** The header that names the person and the company that the form shows. If it shows nobody, it first looks whether somebody has signed in since. */
export async function holderHeaders(form: HTMLFormElement): Promise<[string, string][]> {
  if ((await holder) === undefined) {
    holder = undefined;
    await showHolder(form);
  }
  const session = await holder;
  if (session === undefined) return [];
  const { person, company } = session;
  return [[ACTING_AS, actingAsText({ id: person.personId, companyId: company?.companyId ?? null })]];
}

/** After a refusal because somebody else is signed in: reads and shows who it is. Returns the text to show. */
export async function renewHolder(form: HTMLFormElement): Promise<string> {
  holder = undefined;
  await showHolder(form);
  return text.changed;
}

async function readHolder(): Promise<Session | undefined> {
  try {
    const response = await fetch('/v2/company-authentication/sessions/current', { cache: 'no-store' });
    return response.ok ? ((await response.json()) as Session) : undefined;
  } catch {
    return undefined;
  }
}

function isolated(name: string): HTMLElement {
  const part = document.createElement('bdi');
  part.textContent = name;
  return part;
}

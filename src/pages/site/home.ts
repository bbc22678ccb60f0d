import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';

/** The page at `/`: what the service is, and links to its parts. */
export function homePage(locale: Locale): string {
  const text = HOME_TEXTS[locale];
  const places = (list: typeof text.forPeople) =>
    html`<dl class="facts">${list.map((place) => placeOf(place, locale))}</dl>`;
  const main = html`<article class="sheet">
<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
<p class="ways"><a class="way" href="/console/sign-up?lang=${locale}">${text.signUp}</a> <a href="/console?lang=${locale}">${text.signIn}</a></p>
<section>
<h2>${text.people}</h2>
${places(text.forPeople)}
</section>
<section>
<h2>${text.tracking}</h2>
<p>${text.trackingText}</p>
</section>
<section>
<h2>${text.machines}</h2>
${places(text.forMachines)}
</section>
</article>`;
  return renderPage({
    locale,
    title: text.title,
    description: text.description,
    languagePath: '/',
    area: 'home',
    main,
  });
}

/** The page for an address that does not exist. It leads back to the places for people. */
export function notFoundPage(locale: Locale): string {
  const text = HOME_TEXTS[locale];
  const { title, lead, tracking, home } = NOT_FOUND_TEXTS[locale];
  const places = [{ path: '/', name: home, text: text.lead }, ...text.forPeople];
  const main = html`<article class="sheet">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p>${tracking}</p>
<section>
<h2>${text.people}</h2>
<dl class="facts">${places.map((place) => placeOf(place, locale))}</dl>
</section>
</article>`;
  return renderPage({ locale, title, description: lead, languagePath: '', area: 'home', main });
}

function placeOf(
  { path, name, text }: { readonly path: string; readonly name: string; readonly text: string },
  locale: Locale,
): Html {
  // Only pages have a language.
  const address = /^\/(?:$|(?:changes|console|docs|driver|problems)\b)/.test(path) ? `${path}?lang=${locale}` : path;
  return html`<div><dt><a href="${address}">${name}</a></dt><dd>${prose(text, locale)}</dd></div>\n`;
}

/** A part of the service: its path, name and description. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

interface HomeTexts {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly signUp: string;
  readonly signIn: string;
  readonly people: string;
  readonly forPeople: readonly Place[];
  readonly tracking: string;
  readonly trackingText: string;
  readonly machines: string;
  readonly forMachines: readonly Place[];
}

const NOT_FOUND_TEXTS = {
  en: {
    title: 'Page not found',
    lead: 'There is no page at this address. Part of the address may be missing or mistyped.',
    tracking:
      'To track a parcel, open the complete link from the store’s message. If it does not work, ask the store for a new link.',
    home: 'Home',
  },
  ar: {
    title: 'الصفحة غير موجودة',
    lead: 'لا توجد صفحة بهذا العنوان. قد يكون العنوان ناقصًا أو فيه خطأ.',
    tracking: 'لتتبع شحنة، افتح الرابط كاملًا من رسالة المتجر. إذا لم يعمل فاطلب من المتجر رابطًا جديدًا.',
    home: 'الرئيسية',
  },
} as const satisfies Record<Locale, Record<string, string>>;

const TOKEN_SERVER = '/.well-known/oauth-authorization-server';

const HOME_TEXTS: Readonly<Record<Locale, HomeTexts>> = {
  en: {
    title: 'Deliveries for merchants',
    description:
      'A delivery service for merchants in Saudi Arabia: get prices, and create, track and cancel deliveries.',
    lead: 'Mirsal delivers the orders of merchants in Saudi Arabia. A merchant’s system gets prices, creates shipments and receives their events. The merchant’s staff can do the same in a browser.',
    signUp: 'Register your company',
    signIn: 'Sign in',
    people: 'For people',
    forPeople: [
      {
        path: '/console',
        name: 'Console',
        text: 'For merchants: sign up, shipments, branches, webhooks, credentials, and a sandbox for testing.',
      },
      {
        path: '/driver',
        name: 'Drivers',
        text: 'For drivers: offers, the current parcel and its next action, on a phone.',
      },
      {
        path: '/docs',
        name: 'Reference',
        text: 'All operations, and guides for the first shipment, webhooks, retries, limits and versions.',
      },
      { path: '/changes', name: 'Changes', text: 'What is new in the interface.' },
      {
        path: '/problems',
        name: 'Problems',
        text: 'Every error links to a page that explains its cause and its fix. This is the list of all errors.',
      },
    ],
    tracking: 'Tracking',
    trackingText: 'Recipients track a parcel with the link that the store sent them. There is no search here.',
    machines: 'For machines',
    forMachines: [
      { path: '/openapi.json', name: 'OpenAPI document', text: 'The complete API of this deployment.' },
      { path: '/llms.txt', name: 'llms.txt', text: 'A short version for language models.' },
      { path: TOKEN_SERVER, name: 'Token server', text: 'Metadata for the sign-in of systems (RFC 8414).' },
      { path: '/.well-known/jwks.json', name: 'Keys', text: 'The public keys that verify access tokens.' },
      { path: '/ready', name: 'Readiness', text: 'Whether the service is ready to work right now.' },
    ],
  },
  ar: {
    title: 'التوصيل للمتاجر',
    description: 'خدمة توصيل للمتاجر في السعودية: معرفة الأسعار، وإنشاء عمليات التوصيل وتتبعها وإلغاؤها.',
    lead: 'يوصل مرسال طلبات المتاجر في السعودية. يحصل نظام المتجر على الأسعار وينشئ الشحنات ويستقبل أحداثها. ويستطيع موظفو المتجر ذلك أيضًا من المتصفح.',
    signUp: 'سجّل شركتك',
    signIn: 'تسجيل الدخول',
    people: 'للأشخاص',
    forPeople: [
      {
        path: '/console',
        name: 'لوحة التحكم',
        text: 'للمتاجر: التسجيل، والشحنات، والفروع، والإشعارات البرمجية، وبيانات الاعتماد، وبيئة تجريبية.',
      },
      {
        path: '/driver',
        name: 'السائقون',
        text: 'للسائقين: العروض، والشحنة الحالية وخطوتها التالية، على الهاتف.',
      },
      {
        path: '/docs',
        name: 'المرجع',
        text: 'جميع العمليات، وأدلة لأول شحنة ولاستقبال الإشعارات البرمجية ولإعادة المحاولة وللحدود والإصدارات.',
      },
      { path: '/changes', name: 'التغييرات', text: 'الجديد في واجهة البرمجة.' },
      {
        path: '/problems',
        name: 'رموز الأخطاء',
        text: 'يشير كل خطأ إلى صفحة تشرح سببه وحله. هذه قائمة بها جميعًا.',
      },
    ],
    tracking: 'التتبع',
    trackingText: 'يتتبع المستلم شحنته بالرابط الذي أرسله المتجر. لا يوجد بحث هنا.',
    machines: 'للأنظمة',
    forMachines: [
      { path: '/openapi.json', name: 'وثيقة OpenAPI', text: 'واجهة البرمجة كاملة في هذه البيئة.' },
      { path: '/llms.txt', name: 'llms.txt', text: 'نسخة مختصرة للنماذج اللغوية.' },
      { path: TOKEN_SERVER, name: 'خادم الرموز', text: 'بيانات تسجيل دخول الأنظمة (RFC 8414).' },
      { path: '/.well-known/jwks.json', name: 'المفاتيح', text: 'المفاتيح العامة للتحقق من رموز الوصول.' },
      { path: '/ready', name: 'الجاهزية', text: 'هل الخدمة جاهزة للعمل الآن.' },
    ],
  },
};

import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose, renderPage } from '../page.ts';

/** The page at `/`: what this is, and where everything is. */
export function homePage(locale: Locale): string {
  const text = HOME_TEXTS[locale];
  const places = (list: typeof text.forPeople) =>
    html`<dl class="facts">${list.map((place) => placeOf(place, locale))}</dl>`;
  const main = html`<article class="sheet">
<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
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

function placeOf(
  { path, name, text }: { readonly path: string; readonly name: string; readonly text: string },
  locale: Locale,
): Html {
  // Only pages have languages.
  const address = /^\/(?:console|docs|problems)\b/.test(path) ? `${path}?lang=${locale}` : path;
  return html`<div><dt><a href="${address}">${name}</a></dt><dd>${prose(text, locale)}</dd></div>\n`;
}

/** A place of the service: where it is, what it is called and for whom. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

interface HomeTexts {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly people: string;
  readonly forPeople: readonly Place[];
  readonly tracking: string;
  readonly trackingText: string;
  readonly machines: string;
  readonly forMachines: readonly Place[];
}

const TOKEN_SERVER = '/.well-known/oauth-authorization-server';

export const HOME_TEXTS: Readonly<Record<Locale, HomeTexts>> = {
  en: {
    title: 'Deliveries for merchants',
    description: 'A service for merchants in Saudi Arabia: quote, create, follow and cancel deliveries.',
    lead: 'Mirsal brings what merchants in Saudi Arabia have sold to those who bought it. A merchant’s system asks for a price, creates shipments and is told what happens to them; his people see and do the same in a browser.',
    people: 'For people',
    forPeople: [
      {
        path: '/console',
        name: 'Console',
        text: 'Sign up, shipments, places, webhooks and credentials of a merchant, and a sandbox to try them in.',
      },
      {
        path: '/docs',
        name: 'Reference',
        text: 'Every operation, and guides to the first shipment, to webhooks, and to errors and retries.',
      },
      {
        path: '/problems',
        name: 'Problems',
        text: 'Every error names the address of a page that says why it happens and what to do. These are all of them.',
      },
    ],
    tracking: 'Tracking',
    trackingText: 'Who waits for a parcel follows it by the link that the store has sent. There is no search here.',
    machines: 'For machines',
    forMachines: [
      { path: '/openapi.json', name: 'OpenAPI document', text: 'The whole interface, as of this deployment.' },
      { path: '/llms.txt', name: 'llms.txt', text: 'The same in short, for language models.' },
      { path: TOKEN_SERVER, name: 'Token server', text: 'Where and how systems sign in (RFC 8414).' },
      { path: '/.well-known/jwks.json', name: 'Keys', text: 'By which access tokens are checked.' },
      { path: '/ready', name: 'Readiness', text: 'Whether the service can do its work right now.' },
    ],
  },
  ar: {
    title: 'التوصيل للمتاجر',
    description: 'خدمة للمتاجر في السعودية: تسعير عمليات التوصيل وإنشاؤها وتتبعها وإلغاؤها.',
    lead: 'يوصل مرسال ما باعته المتاجر في السعودية إلى من اشتراه. يسأل نظام المتجر عن السعر، وينشئ الشحنات، ويُخبَر بما يحدث لها؛ ويرى موظفوه ذلك نفسه ويفعلونه في المتصفح.',
    people: 'للأشخاص',
    forPeople: [
      {
        path: '/console',
        name: 'لوحة التحكم',
        text: 'التسجيل، والشحنات، والفروع، والويب هوك، وبيانات الاعتماد، وبيئة تجريبية لتجربتها كلها.',
      },
      {
        path: '/docs',
        name: 'المرجع',
        text: 'جميع العمليات، وأدلة إلى أول شحنة، وإلى الويب هوك، وإلى الأخطاء وإعادة المحاولة.',
      },
      {
        path: '/problems',
        name: 'المشكلات',
        text: 'لكل خطأ عنوان صفحة تشرح سببه وما ينبغي فعله. هذه جميعها.',
      },
    ],
    tracking: 'التتبع',
    trackingText: 'من ينتظر شحنة يتتبعها بالرابط الذي أرسله المتجر. لا يوجد بحث هنا.',
    machines: 'للأنظمة',
    forMachines: [
      { path: '/openapi.json', name: 'وثيقة OpenAPI', text: 'الواجهة كاملة كما هي في هذه البيئة.' },
      { path: '/llms.txt', name: 'llms.txt', text: 'الواجهة باختصار، لنماذج اللغة.' },
      { path: TOKEN_SERVER, name: 'خادم الرموز', text: 'أين وكيف تسجّل الأنظمة الدخول (RFC 8414).' },
      { path: '/.well-known/jwks.json', name: 'المفاتيح', text: 'المفاتيح التي تُفحص بها رموز الوصول.' },
      { path: '/ready', name: 'الجاهزية', text: 'هل تستطيع الخدمة أداء عملها الآن.' },
    ],
  },
};

import type { Locale } from '../../core/locale.ts';
import { type CLIENT_PROGRAMS, POSTMAN_COLLECTION } from '../../http/web/asset-paths.ts';
import { CREDENTIAL_COMMANDS } from '../reference/guides.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Block, Guide } from './guide.ts';

/** Programs that merchants copy. Each one's commands lead from an empty folder to a delivered shipment. */
export const CLIENTS_GUIDE: Guide = {
  slug: 'clients',
  blocks: {
    en: (context) => [
      'Each file gets access tokens and renews them, repeats a creation safely with the same `Idempotency-Key`, takes only an answer of ' +
        'the service for one, honours `Retry-After`, verifies webhooks, and keeps every digit of a decimal. The files for Python, PHP, Go and C# need only the ' +
        'language’s own library. The one for C# has been read but not compiled yet. Copy a file into your project and change it as you like.',
      { heading: 'A first shipment', id: 'first-shipment' },
      'You need a credential for a sandbox. [The first guide](/docs#first-shipment) says how to get one. With a local service, read it ' +
        'in the folder of the service:',
      { code: CREDENTIAL_COMMANDS, label: 'shell' },
      'Then run these commands in an empty folder. The program prepares the sandbox, asks for a price, creates a shipment and waits ' +
        'until the sandbox’s driver has delivered it, about seven seconds.',
      ...programs('en', context),
      'In TypeScript the package `mirsal-client` does what the files do, with types for every operation. If it is not in your registry, ' +
        'make it in a checkout of the service with `npm run build:client && npm pack ./dist/client`, and install the archive instead. ' +
        'Before Node 24, run the program with `npx tsx`.',
      { heading: 'Postman', id: 'postman' },
      `Import [the collection](/clients/${POSTMAN_COLLECTION}): every operation with a valid request. Put your credential into its ` +
        'variables `clientId` and `clientSecret`, open the tab Authorization of the collection, press “Get New Access Token”, and ' +
        'use the token. The identifiers and the `ETag` of each answer are kept for the next request, so create, read and cancel ' +
        'work one after the other.',
      ...facts('en'),
    ],
    ar: (context) => [
      'يحصل كل ملف على رموز الوصول ويجددها، ويكرر الإنشاء بأمان بالمفتاح `Idempotency-Key` نفسه، ولا يقبل ردًا إلا من الخدمة، ويراعي `Retry-After`، ويتحقق من توقيع الإشعارات البرمجية (webhook)، ' +
        'ويحفظ كل رقم في العدد العشري. لا تحتاج ملفات Python و PHP و Go و C# إلا إلى مكتبة اللغة نفسها. رُوجع ملف C# ولم يُترجم بعد. انسخ الملف إلى مشروعك وغيّره كما تشاء.',
      { heading: 'أول شحنة', id: 'first-shipment' },
      'تحتاج إلى بيانات اعتماد لبيئة تجريبية. يبين [الدليل الأول](/docs#first-shipment) كيف تحصل عليها. مع خدمة محلية اقرأها في مجلد الخدمة:',
      { code: CREDENTIAL_COMMANDS, label: 'shell' },
      'ثم نفّذ هذه الأوامر في مجلد فارغ. يجهز البرنامج البيئة التجريبية ويطلب السعر وينشئ شحنة وينتظر حتى يوصلها سائق البيئة، نحو سبع ثوانٍ.',
      ...programs('ar', context),
      'في TypeScript تفعل الحزمة `mirsal-client` ما تفعله الملفات، مع أنواع لكل عملية. إن لم تكن في سجل الحزم لديك فأنشئها في نسخة من مستودع ' +
        'الخدمة بالأمر `npm run build:client && npm pack ./dist/client` وثبّت الملف الناتج بدلًا منها. قبل Node 24 شغّل البرنامج بـ `npx tsx`.',
      { heading: 'Postman', id: 'postman' },
      `استورد [المجموعة](/clients/${POSTMAN_COLLECTION}): كل عملية مع طلب صحيح. ضع بيانات اعتمادك في المتغيرين \`clientId\` و ` +
        '`clientSecret`، وافتح تبويب Authorization في المجموعة، واضغط “Get New Access Token”، ثم استخدم الرمز. تُحفظ معرّفات كل رد ' +
        'وقيمة `ETag` للطلب التالي، فتعمل عمليات الإنشاء والقراءة والإلغاء واحدة بعد أخرى.',
      ...facts('ar'),
    ],
  },
};

export interface Starter {
  readonly language: string;
  readonly file: (typeof CLIENT_PROGRAMS)[number];
  /** The oldest version that it is written for. */
  readonly needs: string;
  readonly command: string;
}

export const STARTERS: readonly Starter[] = [
  { language: 'Python', file: 'mirsal.py', needs: 'Python 3.9', command: 'python3 mirsal.py' },
  { language: 'PHP', file: 'Mirsal.php', needs: 'PHP 8.1', command: 'php Mirsal.php' },
  { language: 'Go', file: 'mirsal.go', needs: 'Go 1.19', command: 'go run mirsal.go' },
  {
    language: 'TypeScript',
    file: 'first-shipment.mts',
    needs: 'Node 24',
    command: 'npm install mirsal-client\nnode first-shipment.mts',
  },
  { language: 'C#', file: 'Mirsal.cs', needs: '.NET 10', command: 'dotnet run Mirsal.cs' },
];

/** The commands of the guide, in a folder that is empty. */
function starterCommands({ file, command }: Starter, baseUrl: string): string {
  return `curl -sSO ${baseUrl}/clients/${file}\nexport MIRSAL_URL=${baseUrl}\n${command}`;
}

function programs(locale: Locale, { baseUrl }: ReferenceContext): readonly Block[] {
  const download = locale === 'en' ? 'Read the program' : 'اقرأ البرنامج';
  return STARTERS.flatMap((starter) => [
    { heading: starter.language, id: starter.file.toLowerCase() },
    { code: starterCommands(starter, baseUrl), label: starter.language },
    `[${download}](/clients/${starter.file}) · ${starter.needs}`,
  ]);
}

const FACTS = {
  en: {
    title: 'Decimals',
    head: ['Language', 'In answers', 'In requests'],
    rows: [
      ['Python', '`Decimal`, and `int` for whole numbers', '`Decimal`; a `float` is refused'],
      [
        'PHP',
        'string, and `int` for whole numbers; compute with bcmath',
        '`new Decimal("180.50")`; a `float` is refused',
      ],
      ['Go', '`json.Number`; compute with `big.Rat`', '`json.Number("180.50")`'],
      ['C#', '`JsonNode`, read with `GetValue<decimal>()`', '`decimal`, such as `180.50m`'],
      ['TypeScript', 'string; compute with big.js', 'string'],
    ],
  },
  ar: {
    title: 'الأعداد العشرية',
    head: ['اللغة', 'في الردود', 'في الطلبات'],
    rows: [
      ['Python', '`Decimal`، و `int` للأعداد الصحيحة', '`Decimal`؛ تُرفض `float`'],
      ['PHP', 'نص، و `int` للأعداد الصحيحة؛ احسب بـ bcmath', '`new Decimal("180.50")`؛ تُرفض `float`'],
      ['Go', '`json.Number`؛ احسب بـ `big.Rat`', '`json.Number("180.50")`'],
      ['C#', '`JsonNode` تُقرأ بـ `GetValue<decimal>()`', '`decimal` مثل `180.50m`'],
      ['TypeScript', 'نص؛ احسب بـ big.js', 'نص'],
    ],
  },
} as const satisfies Record<Locale, object>;

function facts(locale: Locale): readonly Block[] {
  const { title, head, rows } = FACTS[locale];
  return [
    { heading: title, id: 'decimals' },
    { label: title, head, rows },
  ];
}

import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { code, english } from '../reference/blocks.ts';
import type { OpenApiDocument, Schema } from '../reference/document.ts';
import { typeText } from '../reference/fields.ts';
import { listOperations } from '../reference/operations.ts';
import { plainSchema } from '../reference/resolve.ts';
import type { Block, Guide } from './guide.ts';

/** The words of the business, then every field of the OpenAPI document with its description. */
export const GLOSSARY: Guide = {
  slug: 'glossary',
  blocks: {
    en: ({ document }) => [
      { heading: 'Words', id: 'words' },
      terms('en'),
      { heading: 'Fields', id: 'fields' },
      'One row for each field and meaning, in the order of the alphabet. [Objects](/docs/objects) shows them object by object.',
      ...fields('en', document),
    ],
    ar: ({ document }) => [
      { heading: 'الكلمات', id: 'words' },
      terms('ar'),
      { heading: 'الحقول', id: 'fields' },
      'سطر لكل حقل ومعنى بترتيب الحروف. أوصاف الحقول بالإنجليزية. تعرضها صفحة [الكائنات](/docs/objects) كائنًا كائنًا.',
      ...fields('ar', document),
    ],
  },
};

function terms(locale: Locale): Html {
  const entries = TERMS.map(
    ([name, meaning]) => html`<div><dt>${name[locale]}</dt><dd>${meaning[locale]}</dd></div>\n`,
  );
  return html`<dl class="facts">${entries}</dl>`;
}

const HEADS = {
  en: ['Field', 'Meaning', 'Type', 'In'],
  ar: ['الحقل', 'المعنى', 'النوع', 'في'],
} as const satisfies Record<Locale, readonly string[]>;

function fields(locale: Locale, document: OpenApiDocument): readonly Block[] {
  const rows = glossaryFields(document).map(({ name, description, types, places }) => [
    code(name),
    description === undefined ? '' : english(description),
    english([...types].join(' or ')),
    html`${[...places].map((place) => html`${code(place)}<wbr> `)}`,
  ]);
  return [{ label: HEADS[locale][0], head: HEADS[locale], rows }];
}

interface GlossaryField {
  readonly name: string;
  readonly description: string | undefined;
  readonly types: Set<string>;
  /** The objects, or the operations whose body it is part of. */
  readonly places: Set<string>;
}

/** A schema that nests deeper than this refers to itself. */
const DEPTH_MAX = 6;

/** Every field of the document's objects and bodies; a field with several meanings is listed once for each. */
export function glossaryFields(document: OpenApiDocument): readonly GlossaryField[] {
  const found = new Map<string, GlossaryField>();
  const visit = (place: string, given: Schema, depth: number): void => {
    const { schema, variants } = plainSchema(document, given);
    for (const variant of variants) visitInline(place, variant, depth);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const description = member.description ?? plainSchema(document, member).schema.description;
      const key = `${name} ${description ?? ''}`;
      const field = found.get(key) ?? { name, description, types: new Set(), places: new Set() };
      field.types.add(typeText(document, member));
      field.places.add(place);
      found.set(key, field);
      visitInline(place, member, depth);
      if (typeof member.items === 'object') visitInline(place, member.items, depth);
    }
  };
  /** Named schemas are visited by themselves. */
  const visitInline = (place: string, member: Schema, depth: number): void => {
    if (member.$ref === undefined && depth < DEPTH_MAX) visit(place, member, depth + 1);
  };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) visit(name, schema, 0);
  for (const { id, path, body } of listOperations(document)) visitInline(id ?? path, body?.content.schema ?? {}, 0);
  return [...found.values()].toSorted(byName);
}

function byName(left: GlossaryField, right: GlossaryField): number {
  return `${left.name} ${left.description ?? ''}`.localeCompare(`${right.name} ${right.description ?? ''}`, 'en');
}

type Text = Readonly<Record<Locale, string>>;

const TERMS: readonly (readonly [Text, Text])[] = [
  [
    { en: 'Branch', ar: 'الفرع' },
    { en: 'A place of the merchant that shipments belong to.', ar: 'مكان للتاجر تنتمي إليه الشحنات.' },
  ],
  [
    { en: 'Pickup location', ar: 'موقع الاستلام' },
    { en: 'Where the driver collects a parcel. It belongs to a branch.', ar: 'حيث يستلم السائق الشحنة. يتبع فرعًا.' },
  ],
  [
    { en: 'Shipment', ar: 'الشحنة' },
    {
      en: 'One delivery from a pickup location to a recipient, with all its items.',
      ar: 'توصيل واحد من موقع استلام إلى مستلم، بجميع أصنافه.',
    },
  ],
  [
    { en: 'External reference', ar: 'الرقم المرجعي' },
    {
      en: 'Your own number of the order. It names one shipment of your company, forever, so a duplicate is refused.',
      ar: 'رقم الطلب لديك. يدل على شحنة واحدة لشركتك إلى الأبد، فيُرفض المكرر.',
    },
  ],
  [
    { en: 'Cash on delivery', ar: 'الدفع عند الاستلام' },
    {
      en: 'The amount (codAmount) that the recipient pays to the driver. 0 means that nothing is collected.',
      ar: 'المبلغ (codAmount) الذي يدفعه المستلم للسائق. القيمة 0 تعني أنه لا يُحصّل شيء.',
    },
  ],
  [
    { en: 'Declared value', ar: 'القيمة المصرّح بها' },
    { en: 'What the goods are worth. It does not change the price.', ar: 'قيمة البضاعة. لا تغيّر السعر.' },
  ],
  [
    { en: 'Pickup window', ar: 'فترة الاستلام' },
    {
      en: 'The time within which the parcel is ready to be collected. It is in UTC; convert times of another time zone first.',
      ar: 'الوقت الذي تكون الشحنة فيه جاهزة للاستلام. يُكتب بتوقيت UTC، فحوّل إليه أوقات أي منطقة زمنية أخرى.',
    },
  ],
  [
    { en: 'Requirement, capability', ar: 'المتطلب والقدرة' },
    {
      en: 'A shipment has requirements, such as COLD_CHAIN; drivers and service levels have the matching capabilities.',
      ar: 'للشحنة متطلبات مثل سلسلة التبريد، وللسائقين ومستويات الخدمة قدرات تقابلها.',
    },
  ],
  [
    { en: 'Tariff', ar: 'التعرفة' },
    {
      en: 'The prices of a deployment. A shipment keeps the tariff of its creation.',
      ar: 'أسعار البيئة. تحتفظ الشحنة بتعرفة وقت إنشائها.',
    },
  ],
  [
    { en: 'Dispatch, offer', ar: 'الإسناد والعرض' },
    {
      en: 'Dispatch is the search for a driver. An offer asks one driver, who accepts or declines it.',
      ar: 'الإسناد هو البحث عن سائق. والعرض سؤال لسائق واحد يقبله أو يرفضه.',
    },
  ],
  [
    { en: 'Event, delivery', ar: 'الحدث والتسليم' },
    {
      en: 'An event says what changed. A delivery is the sending of one event to one webhook endpoint, with all its attempts.',
      ar: 'الحدث يذكر ما تغيّر. والتسليم إرسال حدث واحد إلى نقطة استقبال (webhook) واحدة بجميع محاولاته.',
    },
  ],
  [
    { en: 'Sequence', ar: 'التسلسل' },
    {
      en: 'The number of an event within its shipment, from 1 and without gaps.',
      ar: 'رقم الحدث ضمن شحنته، يبدأ من 1 دون فجوات.',
    },
  ],
  [
    { en: 'Version, entity tag', ar: 'الإصدار ووسم الكيان' },
    {
      en: 'Each change raises the version of a resource. The entity tag (ETag) is the version in quotation marks.',
      ar: 'كل تغيير يزيد إصدار المورد. وسم الكيان (ETag) هو الإصدار بين علامتي اقتباس.',
    },
  ],
  [
    { en: 'Tracking link', ar: 'رابط التتبع' },
    {
      en: 'A secret address where a recipient follows one shipment.',
      ar: 'عنوان سري يتابع فيه المستلم شحنة واحدة.',
    },
  ],
  [
    { en: 'Waybill', ar: 'بوليصة الشحن' },
    { en: 'The label that is printed and put on the parcel.', ar: 'الملصق الذي يُطبع ويوضع على الشحنة.' },
  ],
  [
    { en: 'Credential', ar: 'بيانات الاعتماد' },
    {
      en: 'The client id and secret with which your system gets access tokens.',
      ar: 'معرّف العميل وسره اللذان يحصل بهما نظامك على رموز الوصول.',
    },
  ],
];

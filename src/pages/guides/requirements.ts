import {
  DOCUMENT_CONTENT_TYPES,
  type DocumentType,
  LEGAL_BASES,
  type LegalBasis,
} from '../../contract/registration-state.ts';
import type { Locale } from '../../core/locale.ts';
import { REQUIRED_DOCUMENTS } from '../../domain/onboarding/requirement.ts';
import { inWords, LIMITS } from '../limits.ts';
import type { Block, Guide } from './guide.ts';

/** What a registration needs, and what a shipment can require. */
export const REQUIREMENTS_GUIDE: Guide = {
  slug: 'requirements',
  blocks: {
    en: () => [
      { heading: 'Documents of a registration', id: 'documents' },
      ...documents('en'),
      `Each document is a file of type ${types('en')}, with at most ${LIMITS.documentMebibytes} MiB. The service compares the first bytes with the type: ` +
        'another content is 422 [DOCUMENT_CONTENT_MISMATCH](/problems/document-content-mismatch). A second upload of the same type replaces the first.',
      'A commercial entity sends its `commercialRegistrationNumber` of 10 digits. A freelancer sends none.',
      {
        list: [
          `The draft is kept for ${inWords(LIMITS.draftSeconds, 'en')}. Uploads need its \`uploadCapability\`, which is valid for ${inWords(LIMITS.capabilitySeconds, 'en')}.`,
          `The code that completes it is valid for ${inWords(LIMITS.codeSeconds, 'en')} and has ${LIMITS.codeAttempts} tries. A new one can be requested every ${inWords(LIMITS.codeSpacingSeconds, 'en')}.`,
          'On production an operator reviews the documents. Until then you can sign in, set up branches and get a credential; a creation of a shipment is 409 [REGISTRATION_INCOMPLETE](/problems/registration-incomplete) with `review`. The sandbox needs no review.',
        ],
      },
      'The operations are in [Registration](/docs/registration).',
      { heading: 'What a shipment can require', id: 'capabilities' },
      'The member `requirements` of a shipment is a list of codes, such as `COLD_CHAIN`. Only a service level and a driver with ' +
        `all of them get the shipment. Most shipments need none: send \`[]\`. At most ${LIMITS.requirements} are allowed.`,
      {
        list: [
          '[GET /v2/external/capabilities](/docs/places#capabilities-list) lists the codes of this deployment, the cities that offer each, and the heaviest and longest item.',
          '[GET /v2/external/cities](/docs/places#cities-list) lists the cities with their surcharges. A city that the tariff does not know is 422 `DESTINATION_NOT_SERVICEABLE`.',
          'A shipment that no service level can carry is created and soon becomes `DISPATCH_UNRESOLVED` with the reason `NO_SERVICE_LEVEL`. [The dispatch of a shipment](/docs/shipments#shipments-dispatch) says why, and whether a retry helps.',
        ],
      },
    ],
    ar: () => [
      { heading: 'مستندات التسجيل', id: 'documents' },
      ...documents('ar'),
      `كل مستند ملف من نوع ${types('ar')} وحجمه ${LIMITS.documentMebibytes} MiB على الأكثر. تقارن الخدمة أوائل البايتات بالنوع: المحتوى المخالف ` +
        'يعني 422 [DOCUMENT_CONTENT_MISMATCH](/problems/document-content-mismatch). الرفع الثاني للنوع نفسه يحل محل الأول.',
      'ترسل المنشأة التجارية `commercialRegistrationNumber` من 10 أرقام، ولا يرسله ممارس العمل الحر.',
      {
        list: [
          `تُحفظ المسودة ${inWords(LIMITS.draftSeconds, 'ar')}. يحتاج الرفع إلى \`uploadCapability\` وصلاحيتها ${inWords(LIMITS.capabilitySeconds, 'ar')}.`,
          `الرمز الذي يكمل التسجيل صالح ${inWords(LIMITS.codeSeconds, 'ar')} وله ${LIMITS.codeAttempts} محاولات. يمكن طلب رمز جديد كل ${inWords(LIMITS.codeSpacingSeconds, 'ar')}.`,
          'في الإنتاج يراجع مشغّل المستندات. حتى ذلك الحين يمكنك تسجيل الدخول وإعداد الفروع والحصول على بيانات الاعتماد؛ أما إنشاء شحنة فيعطي 409 [REGISTRATION_INCOMPLETE](/problems/registration-incomplete) مع `review`. لا تحتاج البيئة التجريبية إلى مراجعة.',
        ],
      },
      'العمليات في قسم [التسجيل](/docs/registration).',
      { heading: 'ما يمكن أن تتطلبه الشحنة', id: 'capabilities' },
      'الحقل `requirements` في الشحنة قائمة رموز، مثل `COLD_CHAIN`. لا يأخذ الشحنة إلا مستوى خدمة وسائق لديهما هذه الرموز كلها. ' +
        `معظم الشحنات لا تحتاج إلى شيء: أرسل \`[]\`. الحد الأعلى ${LIMITS.requirements}.`,
      {
        list: [
          'تذكر [GET /v2/external/capabilities](/docs/places#capabilities-list) رموز هذه البيئة والمدن التي تقدم كلًا منها وأثقل صنف وأطوله.',
          'تذكر [GET /v2/external/cities](/docs/places#cities-list) المدن ورسومها الإضافية. المدينة التي لا تعرفها التعرفة تعني 422 `DESTINATION_NOT_SERVICEABLE`.',
          'الشحنة التي لا يستطيع أي مستوى خدمة نقلها تُنشأ ثم تصبح سريعًا `DISPATCH_UNRESOLVED` بالسبب `NO_SERVICE_LEVEL`. يبين [إسناد الشحنة](/docs/shipments#shipments-dispatch) السبب وهل تفيد إعادة المحاولة.',
        ],
      },
    ],
  },
};

const BASES: Readonly<Record<LegalBasis, Readonly<Record<Locale, string>>>> = {
  COMMERCIAL_ENTITY: { en: 'commercial entity', ar: 'منشأة تجارية' },
  FREELANCER: { en: 'freelancer', ar: 'ممارس عمل حر' },
};
const DOCUMENTS: Readonly<Record<DocumentType, Readonly<Record<Locale, string>>>> = {
  NATIONAL_ADDRESS: { en: 'proof of the national address', ar: 'إثبات العنوان الوطني' },
  COMMERCIAL_REGISTRATION: { en: 'commercial registration', ar: 'السجل التجاري' },
  FREELANCE_CERTIFICATE: { en: 'freelance certificate', ar: 'وثيقة العمل الحر' },
};
const HEADS = {
  en: ['legalBasis', 'Who', 'documentType', 'Document'],
  ar: ['legalBasis', 'الصفة', 'documentType', 'المستند'],
} as const satisfies Record<Locale, readonly string[]>;

function documents(locale: Locale): readonly Block[] {
  const rows = LEGAL_BASES.flatMap((basis) =>
    REQUIRED_DOCUMENTS[basis].map((type) => [
      `\`${basis}\``,
      BASES[basis][locale],
      `\`${type}\``,
      DOCUMENTS[type][locale],
    ]),
  );
  return [{ label: HEADS[locale][3], head: HEADS[locale], rows }];
}

function types(locale: Locale): string {
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });
  return list.format(DOCUMENT_CONTENT_TYPES.map((type) => `\`${type}\``));
}

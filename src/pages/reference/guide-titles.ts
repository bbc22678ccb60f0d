import type { Locale } from '../../core/locale.ts';

interface GuideTitle {
  readonly title: string;
  readonly lead: string;
}

/** The guides with pages of their own below `/docs/`, in the order of the table of contents. */
export const GUIDE_TITLES = {
  clients: {
    en: {
      title: 'Programs to start from',
      lead: 'One file each in Python, PHP, Go and C#, a package for TypeScript, and a collection for Postman.',
    },
    ar: {
      title: 'برامج تبدأ منها',
      lead: 'ملف واحد لكل من Python و PHP و Go و C#، وحزمة لـ TypeScript، ومجموعة لـ Postman.',
    },
  },
  retries: {
    en: {
      title: 'Timeouts and retries',
      lead: 'How long to wait for an answer, and how to repeat each POST without doing its work twice.',
    },
    ar: { title: 'المهل وإعادة المحاولة', lead: 'كم تنتظر الرد، وكيف تكرر كل طلب POST دون أن يُنفذ عمله مرتين.' },
  },
  'entity-tags': {
    en: { title: 'Entity tags', lead: 'How to change a shipment safely although the service changes it too.' },
    ar: { title: 'وسوم الكيان', lead: 'كيف تغيّر شحنة بأمان مع أن الخدمة تغيّرها أيضًا.' },
  },
  limits: {
    en: { title: 'Limits', lead: 'How often you may call, how large a request may be, and how long things are kept.' },
    ar: { title: 'الحدود', lead: 'كم مرة يمكنك الاستدعاء، وما أكبر حجم للطلب، وكم من الوقت تُحفظ البيانات.' },
  },
  versions: {
    en: {
      title: 'Versions and changes',
      lead: 'The interface only grows within v2. What your program must accept, and how you learn of changes.',
    },
    ar: {
      title: 'الإصدارات والتغييرات',
      lead: 'داخل v2 تزيد الواجهة ولا تنقص. ما يجب أن يقبله برنامجك، وكيف تعرف بالتغييرات.',
    },
  },
  requirements: {
    en: {
      title: 'Requirements',
      lead: 'The documents of a registration, the way to production, and what a shipment can require.',
    },
    ar: { title: 'المتطلبات', lead: 'مستندات التسجيل، والطريق إلى الإنتاج، وما يمكن أن تتطلبه الشحنة.' },
  },
  vat: {
    en: {
      title: 'VAT and rounding',
      lead: 'How a price comes about, to the halala, and how to compute the same in your own books.',
    },
    ar: { title: 'ضريبة القيمة المضافة والتقريب', lead: 'كيف يتكون السعر حتى الهللة، وكيف تحسب الرقم نفسه في دفاترك.' },
  },
  glossary: {
    en: { title: 'Glossary', lead: 'The words of this interface, and every field of its requests and answers.' },
    ar: { title: 'المصطلحات', lead: 'كلمات هذه الواجهة، وكل حقل في طلباتها وردودها.' },
  },
  support: {
    en: {
      title: 'Tracing and support',
      lead: 'How to find one request in your logs and in ours, and what to send when you need help.',
    },
    ar: {
      title: 'التتبع التقني والدعم',
      lead: 'كيف تجد طلبًا واحدًا في سجلاتك وسجلاتنا، وماذا ترسل عندما تحتاج إلى مساعدة.',
    },
  },
} as const satisfies Record<string, Readonly<Record<Locale, GuideTitle>>>;

/** The last segment of a guide's address. */
export type GuideSlug = keyof typeof GUIDE_TITLES;

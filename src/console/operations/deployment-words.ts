const english = {
  title: 'Deployment',
  allWorks: 'Everything works.',
  needs: (count: number) => (count === 1 ? 'One thing needs you.' : `${count} things need you.`),
  checked: 'Checked',
  missing: 'Missing for shipments',
  toDo: 'What to do',
  works: 'What works',
  setUp: 'Set it up',
  health: { works: 'Works', watch: 'Watch', broken: 'Broken' },
  need: {
    TARIFF: 'No tariff is in force, so nobody can create a shipment.',
    SERVICE_LEVEL: 'A shard has no active service level, so its companies cannot create a shipment.',
    DRIVER: 'A shard has no active driver, so nobody gets the offers of its shipments.',
  },
  answers: (database: string, ms: number) => `The database ${database} answers in ${ms} ms.`,
  slow: (database: string, ms: number) => ({
    sentence: `The database ${database} needed ${ms} ms for an answer.`,
    action: 'Look at the load and the disk of its server.',
  }),
  silent: (database: string) => ({
    sentence: `The database ${database} does not answer.`,
    action: 'Look at its server and at the network. Callers get 503 and can retry.',
  }),
  oldMigration: (database: string) => ({
    sentence: `The database ${database} lacks the newest migration.`,
    action: 'Run npm run db:migrate.',
  }),
  notWritable: (database: string) => ({
    sentence: `The database ${database} takes no writes.`,
    action: 'Its disk is full, or its writes are blocked. The log has its message.',
  }),
  notSynced: (database: string) => ({
    sentence: `The database ${database} does not sync its commits.`,
    action: 'With an adminUrl the next write restores the setting. Without one, set “strong” by hand.',
  }),
  noneDue: (database: string) => `No shipment of ${database} waits past its time.`,
  lateDue: (database: string, age: string) => ({
    sentence: `A shipment of ${database} became due ${age}.`,
    action: 'Look in the log for errors with the name of this database.',
  }),
  noWebhooks: (database: string) => `No webhook of ${database} waits for its first attempt.`,
  someWebhooks: (database: string, count: number) => `${count} webhooks of ${database} are about to be sent.`,
  lateWebhooks: (database: string, count: number, age: string) => ({
    sentence: `${count} webhooks of ${database} wait for their first attempt, the oldest due ${age}.`,
    action: 'Look in the log for “A webhook queue was not woken”. The sweep wakes the queues each minute.',
  }),
  swept: (database: string, age: string) => `The last sweep of ${database} ended ${age}.`,
  notSwept: (database: string) => ({
    sentence: `No sweep of ${database} has ended since its writer started.`,
    action: 'Wait for a minute. If this stays, check the cron.',
  }),
  lateSweep: (database: string, age: string) => ({
    sentence: `The last sweep of ${database} ended ${age}.`,
    action: 'Check the cron, then look in the log for errors with the name of this database.',
  }),
  routingAnswers: 'The routing engine answers.',
  routingFixture: 'Routes come from the built-in example. Set ROUTING_URL for real ones.',
  routingSilent: {
    sentence: 'The routing engine does not answer.',
    action: 'Look at the engine. Estimates and creations are 503; all else works.',
  },
  noRouting: {
    sentence: 'No routing engine is configured.',
    action: 'Set ROUTING_URL. Until then estimates and creations are 503.',
  },
  messagesSent: 'Messages to people go out through the configured providers.',
  messagesKept: 'Messages to people are kept on this deployment and not sent.',
  noMessages: {
    sentence: 'No message provider is configured, so nobody can sign in with a new code.',
    action: 'Set MESSAGES.',
  },
  documentsStored: 'A store for documents and pictures is configured.',
  noDocuments: {
    sentence: 'No store for documents is configured.',
    action: 'Bind a bucket or set DOCUMENTS. Until then uploads are 503.',
  },
};

export type DeploymentTexts = typeof english;

const arabic: DeploymentTexts = {
  title: 'حالة النظام',
  allWorks: 'كل شيء يعمل.',
  needs: (count) => (count === 1 ? 'أمر واحد يحتاج إليك.' : `أمور تحتاج إليك: ${count}`),
  checked: 'فُحص في',
  missing: 'ما ينقص الشحنات',
  toDo: 'ما يجب فعله',
  works: 'ما يعمل',
  setUp: 'أضِفه',
  health: { works: 'يعمل', watch: 'راقبه', broken: 'معطّل' },
  need: {
    TARIFF: 'لا توجد تعرفة سارية، فلا يستطيع أحد إنشاء شحنة.',
    SERVICE_LEVEL: 'في إحدى شرائح البيانات لا يوجد مستوى خدمة نشط، فلا تستطيع شركاتها إنشاء شحنة.',
    DRIVER: 'في إحدى شرائح البيانات لا يوجد سائق نشط، فلا تُعرض شحناتها على أحد.',
  },
  answers: (database, ms) => `تجيب قاعدة البيانات ${database} خلال ${ms} مللي ثانية.`,
  slow: (database, ms) => ({
    sentence: `احتاجت قاعدة البيانات ${database} إلى ${ms} مللي ثانية للإجابة.`,
    action: 'افحص حمل خادمها وقرصه.',
  }),
  silent: (database) => ({
    sentence: `لا تجيب قاعدة البيانات ${database}.`,
    action: 'افحص خادمها والشبكة. تحصل الأنظمة على 503 ويمكنها إعادة المحاولة.',
  }),
  oldMigration: (database) => ({
    sentence: `ينقص قاعدة البيانات ${database} أحدث ترحيل.`,
    action: 'شغّل npm run db:migrate.',
  }),
  notWritable: (database) => ({
    sentence: `لا تقبل قاعدة البيانات ${database} الكتابة.`,
    action: 'قرصها ممتلئ أو الكتابة فيها محظورة. رسالتها في سجل الخدمة.',
  }),
  notSynced: (database) => ({
    sentence: `لا تزامن قاعدة البيانات ${database} كتاباتها مع القرص.`,
    action: 'مع adminUrl تستعيد الكتابة التالية هذا الإعداد. وبدونه اضبط “strong” يدويًا.',
  }),
  noneDue: (database) => `لا توجد شحنة متأخرة عن موعدها في ${database}.`,
  lateDue: (database, age) => ({
    sentence: `شحنة في ${database} حان موعدها ${age}.`,
    action: 'ابحث في سجل الخدمة عن أخطاء باسم قاعدة البيانات هذه.',
  }),
  noWebhooks: (database) => `لا يوجد إشعار في ${database} ينتظر محاولته الأولى.`,
  someWebhooks: (database, count) => `إشعارات على وشك الإرسال في ${database}: ${count}`,
  lateWebhooks: (database, count, age) => ({
    sentence: `إشعارات تنتظر محاولتها الأولى في ${database}: ${count}، وحان موعد أقدمها ${age}.`,
    action: 'ابحث في سجل الخدمة عن “A webhook queue was not woken”. توقظ الصيانة الدورية القوائم كل دقيقة.',
  }),
  swept: (database, age) => `انتهت آخر صيانة دورية لقاعدة البيانات ${database} ${age}.`,
  notSwept: (database) => ({
    sentence: `لم تنتهِ أي صيانة دورية لقاعدة البيانات ${database} منذ بدء كاتبها.`,
    action: 'انتظر دقيقة. إن استمر ذلك فافحص cron.',
  }),
  lateSweep: (database, age) => ({
    sentence: `انتهت آخر صيانة دورية لقاعدة البيانات ${database} ${age}.`,
    action: 'افحص cron، ثم ابحث في سجل الخدمة عن أخطاء باسم قاعدة البيانات هذه.',
  }),
  routingAnswers: 'يجيب محرك المسارات.',
  routingFixture: 'المسارات من المثال المدمج. اضبط ROUTING_URL للمسارات الحقيقية.',
  routingSilent: {
    sentence: 'لا يجيب محرك المسارات.',
    action: 'افحص المحرك. تُرفض التقديرات وإنشاء الشحنات بالحالة 503، ويعمل ما عداها.',
  },
  noRouting: {
    sentence: 'لم يُضبط محرك مسارات.',
    action: 'اضبط ROUTING_URL. حتى ذلك الحين تُرفض التقديرات وإنشاء الشحنات بالحالة 503.',
  },
  messagesSent: 'تُرسل الرسائل إلى الناس عبر المزودين المضبوطين.',
  messagesKept: 'تُحفظ الرسائل على هذا النظام ولا تُرسل.',
  noMessages: {
    sentence: 'لم يُضبط مزود رسائل، فلا يستطيع أحد تسجيل الدخول برمز تحقق جديد.',
    action: 'اضبط MESSAGES.',
  },
  documentsStored: 'ضُبط مخزن للمستندات والصور.',
  noDocuments: {
    sentence: 'لم يُضبط مخزن للمستندات.',
    action: 'اربط حاوية أو اضبط DOCUMENTS. حتى ذلك الحين يُرفض رفع الملفات بالحالة 503.',
  },
};

export const DEPLOYMENT_TEXTS = { en: english, ar: arabic };

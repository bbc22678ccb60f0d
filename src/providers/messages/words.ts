import type { MessagePurpose } from '../../contract/message.ts';
import { CODE_MINUTES, RECOVERY_HOURS } from '../../core/limits.ts';
import type { Message } from '../../ports/message.ts';

/** Subject of an e-mail, in both languages, because the recipient's language is not known. */
export const SUBJECT = 'Mirsal — مرسال';

/** Texts of messages, Arabic first. `{code}`, `{company}`, `{shipment}`, `{url}`, `{reason}`, `{host}` and `{support}` are placeholders for parts of the message. */
const TEXTS: Readonly<Record<MessagePurpose, readonly [arabic: string, english: string]>> = {
  DRIVER_SIGN_IN: ['رمز التحقق لدخول السائق: {code}', 'Your driver sign-in code: {code}'],
  REGISTRATION: ['رمز التحقق لإكمال تسجيل متجرك: {code}', 'Your code to complete the registration: {code}'],
  SIGN_IN: ['رمز التحقق لتسجيل الدخول: {code}', 'Your sign-in code: {code}'],
  ELEVATION: ['رمز التحقق لتأكيد هويتك: {code}', 'Your code to confirm your identity: {code}'],
  INVITATION_ACCEPTANCE: [
    'رمز التحقق لقبول دعوة «{company}»: {code}',
    'Your code to accept the invitation from “{company}”: {code}',
  ],
  IDENTIFIER_CHANGE: [
    'رمز التحقق لتغيير بريدك الإلكتروني أو جوالك في حسابك: {code}',
    'Your code to change the e-mail address or mobile of your account: {code}',
  ],
  RECIPIENT_SIGN_IN: [
    'رمز تأكيد توصيل شحنتك من متجر «{company}» المنتهية بـ {shipment}: {code}',
    'Your code for the delivery from “{company}” ending in {shipment}: {code}',
  ],
  DELIVERY_PIN: [
    'رمز تسليم شحنتك من متجر «{company}» المنتهية بـ {shipment}: {code}. افحص الشحنة أولًا، ولا تعطه للسائق إلا بعد أن تستلمها{paid}.',
    'PIN of your delivery from “{company}” ending in {shipment}: {code}. Look at the goods first. Give it to the driver only when you hold the parcel{paid}.',
  ],
  REGISTRATION_BEGUN: [
    'بدأ تسجيل متجر في مرسال بهذا البريد الإلكتروني. إذا لم تكن أنت من بدأه فتجاهل هذه الرسالة.',
    'A store registration was started with this e-mail address. If this was not you, ignore this message.',
  ],
  ALREADY_REGISTERED: [
    'طُلب تسجيل متجر بهذا البريد الإلكتروني، وله حساب في مرسال. إذا كان الطلب منك فسجّل الدخول، وإلا فتجاهل هذه الرسالة.',
    'Someone tried to register a store with this e-mail address, which already has an account. If this was you, sign in instead. Otherwise, ignore this message.',
  ],
  INVITATION: [
    'تدعوك «{company}» إلى حسابها في مرسال. إذا كنت تعمل لديها فاقبل الدعوة من هذا الرابط: {url}',
    '“{company}” invites you to join its Mirsal account. If you work there, accept the invitation: {url}',
  ],
  IDENTIFIER_TAKEN: [
    'أكّد شخص آخر ملكيته لبريد إلكتروني أو رقم جوال كان في حسابك. لم يعد بإمكانك تسجيل الدخول به.',
    'Someone else verified an e-mail address or mobile number that was on your account. You can no longer sign in with it.',
  ],
  IDENTIFIER_CHANGED: [
    'تغيّر البريد الإلكتروني أو رقم الجوال في حسابك، ولم يعد بإمكانك تسجيل الدخول بالقديم. إذا لم تكن أنت من غيّره فتواصل معنا فورًا: {support}',
    'The e-mail address or mobile of your account was changed, and the old one no longer signs you in. If this was not you, contact us at once: {support}',
  ],
  RECOVERY_BEGUN: [
    `طُلب استبدال البريد الإلكتروني ورقم الجوال في حسابك لدى «{company}» في مرسال بعد ${RECOVERY_HOURS} ساعة. إذا لم تطلب ذلك فأوقفه من هذا الرابط: {url}`,
    `The e-mail address and the mobile of your Mirsal account at “{company}” will be replaced in ${RECOVERY_HOURS} hours. If you did not ask for this, stop it: {url}`,
  ],
  COMPANY_APPROVED: [
    'تمت الموافقة على تسجيل «{company}». يمكنكم إنشاء الشحنات الآن.',
    '“{company}” is approved and can create shipments now.',
  ],
  COMPANY_REJECTED: [
    'لم تتم الموافقة على تسجيل «{company}»: {reason}',
    'The registration of “{company}” was not approved: {reason}',
  ],
  RECIPIENT_PHONE_CHANGED: [
    'غيّر متجر «{company}» رقم جوال المستلم في شحنة كانت مسجّلة على هذا الرقم، وينتهي رقمها بـ {shipment}. إذا لم تطلب ذلك فتواصل مع المتجر.',
    '“{company}” changed the mobile number of the delivery ending in {shipment}, which had this number. If you did not ask for that, contact the shop.',
  ],
};

/** The text of an invitation without a company: Mirsal invites an operator. */
const OPERATOR_ACCEPTANCE = [
  'رمز التحقق لتصبح مشغّلًا في مرسال: {code}',
  'Your code to become an operator of Mirsal: {code}',
];

/** In the text of a PIN, if something is to be paid at the door. */
const PAID = [' وتدفع {amount}', ' and have paid {amount}'];

/** How long a code is valid, and a warning not to share it. */
const CODE_ADVICE = [
  `صالح لمدة ${CODE_MINUTES} دقائق. لا تشاركه مع أحد.`,
  `Valid for ${CODE_MINUTES} minutes. Do not share it with anyone.`,
];

/**
 * The last line of an SMS with a code: the host of the pages that ask for it. Phones then offer the code there, and only there
 * (WICG, origin-bound one-time codes delivered via SMS). A host has no port in this form.
 */
const BOUND_CODE = '@{host} #{code}';

/**
 * The text of a message. It contains the code, so it is only sent to its recipient. `baseUrl` is the address of the
 * deployment's pages.
 */
export function textOf(
  { channel, purpose, code, companyName, shipmentEnd, amount, url, reason }: Message,
  baseUrl: string,
): string {
  const advice = channel === 'SMS' ? [...CODE_ADVICE, BOUND_CODE] : CODE_ADVICE;
  const isOfOperator = purpose === 'INVITATION_ACCEPTANCE' && companyName === undefined;
  const text = isOfOperator ? OPERATOR_ACCEPTANCE : TEXTS[purpose];
  // A PIN is for the door: no page asks for it.
  const lines = code === null || purpose === 'DELIVERY_PIN' ? text : [...text, ...advice];
  const parts: Readonly<Record<string, string | undefined>> = {
    code: code ?? undefined,
    host: new URL(baseUrl).hostname,
    company: companyName,
    shipment: shipmentEnd,
    amount,
    url,
    reason,
    support: `${baseUrl}/docs/support`,
  };
  const fill = (line: string) => line.replace(/\{(\w+)\}/g, (_place, name: string) => parts[name] ?? '');
  return lines
    .map((line, index) => fill(line.replace('{paid}', amount === undefined ? '' : (PAID[index] ?? ''))))
    .join('\n');
}

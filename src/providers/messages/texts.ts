import type { MessagePurpose } from '../../contract/message.ts';
import type { Message } from '../../ports/message.ts';

/** Subject of an e-mail, in both languages, because the recipient's language is not known. */
export const SUBJECT = 'Mirsal — مرسال';

/** Texts of messages, Arabic first. `{code}`, `{company}` and `{url}` are placeholders for parts of the message. */
const TEXTS: Readonly<Record<MessagePurpose, readonly [arabic: string, english: string]>> = {
  DRIVER_SIGN_IN: ['رمز دخول السائق: {code}', 'Your driver sign-in code: {code}'],
  REGISTRATION: ['رمز إكمال تسجيل متجرك: {code}', 'The code that completes your registration: {code}'],
  SIGN_IN: ['رمز الدخول: {code}', 'Your sign-in code: {code}'],
  ELEVATION: ['رمز تأكيد هويتك: {code}', 'The code that confirms it is you: {code}'],
  INVITATION_ACCEPTANCE: [
    'رمز قبول دعوة «{company}»: {code}',
    'The code that accepts the invitation of “{company}”: {code}',
  ],
  REGISTRATION_BEGUN: [
    'بدأ تسجيل متجر بهذا البريد. إن لم تكن أنت فلا تفعل شيئًا.',
    'A store is being registered with this address. If that is not you, there is nothing to do.',
  ],
  ALREADY_REGISTERED: [
    'حاول أحدهم تسجيل متجر بهذا البريد، وله حساب من قبل. إن كنت أنت فسجّل الدخول بدلًا من ذلك.',
    'Somebody began to register a store with this address, which has an account already. If that is you, sign in instead.',
  ],
  INVITATION: [
    'تدعوك «{company}» إلى حسابها في مرسال. إن كنت تعمل لديها فاقبل الدعوة هنا: {url}',
    '“{company}” invites you to its account with Mirsal. If you work for it, accept here: {url}',
  ],
  IDENTIFIER_TAKEN: [
    'أثبت شخص آخر أن بريدًا أو جوالًا كان في حسابك ملكه، فلم يعد يفتح حسابك.',
    'Somebody else proved that an e-mail address or a mobile of your account is theirs. It does not open your account any more.',
  ],
};

/** How long a code is valid, and a warning not to share it. */
const CODE_ADVICE = [
  'صالح خمس دقائق، ولا يطلبه منك أحد.',
  'It is good for 5 minutes. Nobody of ours will ask you for it.',
];

/** The text of a message. It contains the code, so it is only sent to its recipient. */
export function textOf({ purpose, code, companyName, url }: Message): string {
  const lines = code === null ? TEXTS[purpose] : [...TEXTS[purpose], ...CODE_ADVICE];
  const parts: Readonly<Record<string, string | undefined>> = { code: code ?? undefined, company: companyName, url };
  return lines.map((line) => line.replace(/\{(\w+)\}/g, (_place, name: string) => parts[name] ?? '')).join('\n');
}

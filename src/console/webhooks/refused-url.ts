import type { Failure } from '../service/failure.ts';
import { textsOf } from '../shell/locale.ts';

const TEXTS = {
  en: {
    NOT_A_URL: 'This is not an address.',
    SCHEME: 'Only https addresses are sent to.',
    CREDENTIALS: 'An address may not have a name and a password in it.',
    IP_ADDRESS: 'A name is needed, not an IP address.',
    HOST: 'This name is not public.',
    OWN_ADDRESS: 'This is the service’s own address.',
    PORT: 'This port is not allowed: 443, or one from 1024 on.',
  },
  ar: {
    NOT_A_URL: 'هذا ليس عنوانًا صحيحًا.',
    SCHEME: 'لا يُرسل إلا إلى عناوين https.',
    CREDENTIALS: 'لا يجوز أن يحتوي العنوان على اسم مستخدم وكلمة مرور.',
    IP_ADDRESS: 'المطلوب اسم نطاق لا عنوان IP.',
    HOST: 'هذا الاسم ليس عامًا.',
    OWN_ADDRESS: 'هذا عنوان الخدمة نفسها.',
    PORT: 'هذا المنفذ غير مسموح به: 443 أو من 1024 فصاعدًا.',
  },
};

/** Why an address is not sent to, if that is what was refused. */
export function refusedUrl(failure: Failure | undefined): string | undefined {
  if (failure?.code !== 'WEBHOOK_URL_NOT_ALLOWED') return undefined;
  const reasons: Readonly<Record<string, string>> = textsOf(TEXTS);
  return reasons[String(failure.problem?.['reason'])] ?? failure.detail ?? failure.title;
}

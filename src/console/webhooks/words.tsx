import { arabicNoun } from '../../core/locale.ts';
import { formatCount, locale } from '../../ui/browser/base/locale.ts';
import { Moment } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { Pill, type Tone } from '../../ui/state.tsx';

export type Endpoint = Outputs['webhookEndpoints']['get'];
export type Delivery = Outputs['webhookDeliveries']['list']['data'][number];
export type Attempt = Pick<
  Outputs['webhookDeliveries']['get']['attempts'][number],
  'responseStatus' | 'error' | 'durationMs'
>;

interface Words {
  readonly en: string;
  readonly ar: string;
}

const ENDPOINT_STATES: Readonly<Record<Endpoint['state'], Words & { readonly tone: Tone }>> = {
  ENABLED: { en: 'Enabled', ar: 'مفعّلة', tone: 'good' },
  DISABLED: { en: 'Disabled', ar: 'موقوفة', tone: 'over' },
  AUTO_DISABLED: { en: 'Disabled after failures', ar: 'أُوقفت بعد تكرار الفشل', tone: 'bad' },
};

const DELIVERY_STATUSES: Readonly<Record<Delivery['status'], Words & { readonly tone: Tone }>> = {
  PENDING: { en: 'Waiting', ar: 'بالانتظار', tone: 'waiting' },
  RETRYING: { en: 'Retrying', ar: 'ستُعاد المحاولة', tone: 'waiting' },
  SUCCEEDED: { en: 'Delivered', ar: 'سُلّمت', tone: 'good' },
  EXHAUSTED: { en: 'Failed', ar: 'تعذّر التسليم', tone: 'bad' },
  SKIPPED: { en: 'Skipped', ar: 'تم تخطيها', tone: 'over' },
};

const ERRORS: Readonly<Record<NonNullable<Attempt['error']>, Words>> = {
  TIMEOUT: { en: 'No answer in time', ar: 'لم يصل رد في الوقت المحدد' },
  DNS: { en: 'Unknown host name', ar: 'اسم المضيف غير معروف' },
  TLS: { en: 'Secure connection failed', ar: 'تعذّر إنشاء اتصال آمن' },
  CONNECT: { en: 'Connection failed', ar: 'تعذّر الاتصال' },
  NON_2XX: { en: 'Answered with an error status', ar: 'جاء الرد بحالة خطأ' },
  REDIRECT: { en: 'Answered with a redirect', ar: 'حُوّل الطلب إلى عنوان آخر' },
  BLOCKED_ADDRESS: { en: 'Address is not public', ar: 'العنوان ليس عامًا' },
};

const FAILING = { en: 'Failing', ar: 'تفشل' };

/** How many attempts failed since the last success: `146 failed attempts in a row`. */
export function failedInARow(count: number): string {
  const shown = formatCount(count);
  if (locale === 'en') return count === 1 ? '1 failed attempt' : `${shown} failed attempts in a row`;
  if (count === 1) return 'محاولة فاشلة واحدة';
  if (count === 2) return 'محاولتان فاشلتان متتاليتان';
  return `${shown} ${arabicNoun(count, { plural: 'محاولات', singular: 'محاولة' })} فاشلة متتالية`;
}

const PAUSED = { en: ['Paused until', 'by your receiver'], ar: ['متوقفة مؤقتًا حتى', 'بطلب من نظامك المستقبِل'] };

/** How many requests to an endpoint had begun before a change of it, as an addition to what was done. Empty for none. */
export function inFlightWords(count: number | undefined): string {
  if (count === undefined || count === 0) return '';
  return locale === 'en'
    ? ` Requests that had begun and may still arrive: ${formatCount(count)}`
    : ` طلبات بدأت قبل التغيير وقد تصل بعد: ${formatCount(count)}`;
}

interface EndpointPillProps {
  readonly endpoint: Pick<Endpoint, 'state' | 'consecutiveFailures' | 'pausedUntil'>;
}

/** The state of an endpoint. An enabled one that fails or is paused says so. */
export function EndpointPill({ endpoint: { state, consecutiveFailures, pausedUntil } }: EndpointPillProps) {
  const words = ENDPOINT_STATES[state];
  const isFailing = state === 'ENABLED' && consecutiveFailures > 0;
  if (state === 'ENABLED' && pausedUntil !== null) {
    const [before, after] = PAUSED[locale];
    return (
      <span class="calm">
        <Pill tone="waiting">
          {before} <Moment at={pausedUntil} hasSeconds /> {after}
        </Pill>
      </span>
    );
  }
  return (
    <span class="calm">
      <Pill tone={isFailing ? 'bad' : words.tone}>
        {isFailing ? `${FAILING[locale]}: ${failedInARow(consecutiveFailures)}` : words[locale]}
      </Pill>
    </span>
  );
}

export function DeliveryPill({ status }: { readonly status: Delivery['status'] }) {
  const words = DELIVERY_STATUSES[status];
  return <Pill tone={words.tone}>{words[locale]}</Pill>;
}

/** The words of a status. */
export function statusLabel(status: Delivery['status']): string {
  return DELIVERY_STATUSES[status][locale];
}

/** The outcome of an attempt: the HTTP status, or why there was none. */
export function Outcome({ attempt: { responseStatus, error } }: { readonly attempt: Attempt }) {
  return (
    <span class={error === null ? undefined : 'wrong'}>
      {error === null ? null : ERRORS[error][locale]}
      {error === null || responseStatus === null ? null : ' · '}
      {responseStatus === null ? null : <bdi dir="ltr">HTTP {responseStatus}</bdi>}
    </span>
  );
}

/** Whether the service will make another attempt by itself. */
export function isOpen({ status }: Delivery): boolean {
  return status === 'PENDING' || status === 'RETRYING';
}

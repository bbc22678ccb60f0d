import { TRPCClientError } from '@trpc/client';
import { isProblem, isRecord, type Problem, type ProblemViolation } from '../../client/problem.ts';
import { locale, textsOf } from '../base/locale.ts';

/** Why a call failed, in words for the person in front of the page. */
export interface CallFailure {
  /** A code of the service, or `NETWORK` if there was no answer. After `NETWORK` it is unknown whether the service acted. */
  readonly code: string;
  readonly title: string;
  readonly detail: string | undefined;
  /** People quote it when they ask for help. */
  readonly requestId: string | undefined;
  readonly violations: readonly ProblemViolation[];
  readonly problem: Problem | undefined;
}

/** An error answer of a REST operation. `callRest` throws it. */
export class RestError extends Error {
  readonly problem: Problem | undefined;

  constructor(problem: Problem | undefined) {
    super(problem?.code ?? 'no problem body');
    this.name = 'RestError';
    this.problem = problem;
  }
}

const TEXTS = {
  en: {
    required: 'This field is required.',
    format: 'The format of this value is not correct.',
    title: 'The service did not answer',
    detail: 'Check your connection and try again. What you typed is still here.',
  },
  ar: {
    required: 'هذا الحقل مطلوب.',
    format: 'صيغة هذه القيمة غير صحيحة.',
    title: 'لم تستجب الخدمة',
    detail: 'تحقق من الاتصال ثم أعد المحاولة. ما كتبته ما زال هنا.',
  },
};

/** Turns anything that a call to the service threw into a failure. */
export function failureOf(error: unknown): CallFailure {
  const problem = problemOf(error);
  if (problem === undefined) {
    const { title, detail } = textsOf(TEXTS);
    return { code: 'NETWORK', title, detail, requestId: undefined, violations: [], problem };
  }
  const { code, title, detail, requestId, violations = [] } = problem;
  return { code, title, detail, requestId, violations, problem };
}

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof RestError) return error.problem;
  if (!(error instanceof TRPCClientError)) return undefined;
  const data: unknown = error.data;
  return isRecord(data) && isProblem(data['problem']) ? data['problem'] : undefined;
}

/**
 * The message for one field of a form, if the service reported a violation there. With `value`, an empty field gets
 * "required".
 */
export function violationAt(failure: CallFailure | undefined, field: string, value?: string): string | undefined {
  const violation = failure?.violations.find((one) => one.field === field);
  return violation === undefined ? undefined : sentenceOf(violation, value);
}

/**
 * A violation as a sentence. What the service says of a value is for programs, so frequent faults have words of their own. A
 * regular expression is never shown: the field's hint says the format in words.
 */
export function sentenceOf({ field, code, message }: ProblemViolation, value?: string): string {
  const text = textsOf(TEXTS);
  if (value === '') return text.required;
  const [, known] = textsOf(SENTENCES).find(([name]) => name === code || name === `${code} ${field}`) ?? [];
  if (known !== undefined) return known;
  if (code === 'PATTERN_MISMATCH' && /[\^$[{]/.test(message)) return text.format;
  return locale === 'ar' ? `${message}.` : `This value ${message}.`;
}

/** Codes of violations, some with their field, and what they mean for a person. */
const SENTENCES: Readonly<Record<'en' | 'ar', readonly (readonly [code: string, sentence: string])[]>> = {
  en: [
    ['REQUIRED', TEXTS.en.required],
    ['PATTERN_MISMATCH recipient.phone', 'Enter a Saudi mobile such as 0501234567.'],
    ['PATTERN_MISMATCH recipient.alternateContactPhone', 'Enter a Saudi mobile such as 0501234567.'],
    ['PATTERN_MISMATCH destination.cityCode', 'Enter a city code such as RUH.'],
    ['INVALID_INSTANT', 'Enter a day and a time.'],
    ['WINDOW_IN_PAST', 'This time has passed. Choose a later one.'],
    ['WINDOW_ORDER_INVALID', 'The pickup must end after it begins.'],
    ['COD_METHOD_REQUIRED', 'Choose cash on delivery, or enter 0 as the amount to collect.'],
    ['CURRENCY_NOT_SUPPORTED', 'Enter the currency of your tariff, such as SAR.'],
    ['BRANCH_UNKNOWN', 'You have no such branch.'],
    ['PICKUP_LOCATION_UNKNOWN', 'You have no such pickup location.'],
    ['PICKUP_LOCATION_NOT_IN_BRANCH', 'This pickup location belongs to another branch.'],
    ['DESTINATION_NOT_SERVICEABLE', 'We do not deliver to this place.'],
    ['DUPLICATE_ITEM', 'This is in the list already.'],
  ],
  ar: [
    ['REQUIRED', TEXTS.ar.required],
    ['PATTERN_MISMATCH recipient.phone', 'اكتب رقم جوال سعوديًا مثل 0501234567.'],
    ['PATTERN_MISMATCH recipient.alternateContactPhone', 'اكتب رقم جوال سعوديًا مثل 0501234567.'],
    ['PATTERN_MISMATCH destination.cityCode', 'اكتب رمز مدينة مثل RUH.'],
    ['INVALID_INSTANT', 'اكتب اليوم والوقت.'],
    ['WINDOW_IN_PAST', 'هذا الوقت مضى. اختر وقتًا بعده.'],
    ['WINDOW_ORDER_INVALID', 'يجب أن ينتهي الاستلام بعد بدايته.'],
    ['COD_METHOD_REQUIRED', 'اختر الدفع عند الاستلام، أو اكتب 0 في المبلغ المطلوب تحصيله.'],
    ['CURRENCY_NOT_SUPPORTED', 'اكتب عملة تعرفتك، مثل SAR.'],
    ['BRANCH_UNKNOWN', 'ليس لديك فرع بهذا الرمز.'],
    ['PICKUP_LOCATION_UNKNOWN', 'ليس لديك موقع استلام بهذا الرمز.'],
    ['PICKUP_LOCATION_NOT_IN_BRANCH', 'موقع الاستلام هذا يتبع فرعًا آخر.'],
    ['DESTINATION_NOT_SERVICEABLE', 'لا يصل التوصيل إلى هذا المكان.'],
    ['DUPLICATE_ITEM', 'هذا موجود في القائمة.'],
  ],
};

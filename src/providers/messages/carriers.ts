import * as z from 'zod';
import { readTextWithin } from '../../core/bounded-bytes.ts';
import { parsePlainJson } from '../../core/json.ts';
import { part } from '../../core/part.ts';
import type { Message, Messages } from '../../ports/message.ts';
import { BadAnswer } from '../bad-answer.ts';
import { type CallLimits, guardCalls, type ProviderPlatform } from '../guarded-call.ts';

const texts = part(() => import('./words.ts'));

const MESSAGE_LIMITS: CallLimits = {
  /** Carriers answer within a second or two, and the request for the code waits for them. */
  timeoutMs: 5000,
  failuresMax: 5,
  openMs: 5000,
};
/** Statuses that refuse one message and do not mean that the carrier is down. */
const MESSAGE_REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 410, 413, 422]);
/** An answer has only an id and a status. */
const MESSAGE_ANSWER_BYTES_MAX = 16 * 1024;

/** The provider of one channel. */
export type Carrier = Pick<Messages, 'send'> & { isDown(): boolean };

export interface UnifonicAccount {
  readonly appSid: string;
  /** The sender name of an SMS, if the account has one. */
  readonly senderId?: string | undefined;
  /** For tests and for accounts of another region. */
  readonly url?: string | undefined;
}

/** What messages say of the deployment. */
export interface Sender {
  /** The address of the pages. */
  readonly baseUrl: string;
}

const UNIFONIC_URL = 'https://el.cloud.unifonic.com/rest/SMS/messages';

/** Unifonic may send `true` as a string. */
const answer = z.object({ success: z.union([z.boolean(), z.enum(['true', 'false'])]) });

/**
 * SMS through Unifonic's REST service. Resolves to whether Unifonic accepted the message. There is no retry, because the
 * person could get the same message twice.
 */
export function unifonicSms(
  { appSid, senderId, url = UNIFONIC_URL, baseUrl }: UnifonicAccount & Sender,
  platform: ProviderPlatform,
  limits: CallLimits = MESSAGE_LIMITS,
): Carrier {
  const call = guardCalls('sms', limits, platform);
  const send = async (message: Message) => {
    const { textOf } = await texts();
    const body = new URLSearchParams({
      AppSid: appSid,
      ...(senderId === undefined ? {} : { SenderID: senderId }),
      // Digits alone, with the country.
      Recipient: message.recipient.replace(/^\+/, ''),
      Body: textOf(message, baseUrl),
      responseType: 'JSON',
    });
    const isTaken = await call(async (signal, refuse) => {
      const response = await platform.fetch(url, { method: 'POST', body, redirect: 'manual', signal });
      const text = await readTextWithin(response.body, MESSAGE_ANSWER_BYTES_MAX);
      const bad = new BadAnswer(response.status, text);
      const parsed = answer.safeParse(parsePlainJson(text ?? ''));
      const isAnswer = response.ok && parsed.success;
      if (isAnswer && String(parsed.data.success) === 'true') return true;
      // The carrier refused this message because of its content. The carrier works, so the circuit breaker must not
      // count it.
      if (!isAnswer && !MESSAGE_REFUSED.has(response.status)) throw bad;
      refuse(bad);
      return false;
    });
    return isTaken === true;
  };
  return { send, isDown: call.isDown };
}

export interface ResendAccount {
  readonly apiKey: string;
  /** For example `Mirsal <codes@mirsal.example>`, of a domain that is verified in the account. */
  readonly from: string;
  readonly url?: string | undefined;
}

const RESEND_URL = 'https://api.resend.com/emails';

/** E-mail through Resend's HTTP service. Resolves to whether Resend accepted the message. There is no retry, as for SMS. */
export function resendEmail(
  { apiKey, from, url = RESEND_URL, baseUrl }: ResendAccount & Sender,
  platform: ProviderPlatform,
  limits: CallLimits = MESSAGE_LIMITS,
): Carrier {
  const call = guardCalls('email', limits, platform);
  const send = async (message: Message) => {
    const { SUBJECT, textOf } = await texts();
    const body = JSON.stringify({ from, to: [message.recipient], subject: SUBJECT, text: textOf(message, baseUrl) });
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const isTaken = await call(async (signal, refuse) => {
      const response = await platform.fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      const text = await readTextWithin(response.body, MESSAGE_ANSWER_BYTES_MAX);
      if (response.ok) return true;
      const bad = new BadAnswer(response.status, text);
      // As above.
      if (!MESSAGE_REFUSED.has(response.status)) throw bad;
      refuse(bad);
      return false;
    });
    return isTaken === true;
  };
  return { send, isDown: call.isDown };
}

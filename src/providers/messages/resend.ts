import type { Message } from '../../ports/message.ts';
import { type CallLimits, guardCalls, type ProviderPlatform } from '../guarded-call.ts';
import { MESSAGE_LIMITS, MESSAGE_REFUSED } from './limits.ts';
import { SUBJECT, textOf } from './texts.ts';

export interface ResendAccount {
  readonly apiKey: string;
  /** `Mirsal <codes@mirsal.example>`, of a domain that the account has proved. */
  readonly from: string;
  readonly url?: string | undefined;
}

const URL = 'https://api.resend.com/emails';

/** E-mail through Resend's HTTP service. Answers whether it took the message over; sent once, as an SMS is. */
export function resendEmail(
  { apiKey, from, url = URL }: ResendAccount,
  platform: ProviderPlatform,
  limits: CallLimits = MESSAGE_LIMITS,
): (message: Message) => Promise<boolean> {
  const call = guardCalls('email', limits, platform);
  return async (message) => {
    const body = JSON.stringify({ from, to: [message.recipient], subject: SUBJECT, text: textOf(message) });
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const isTaken = await call(async (signal) => {
      const response = await platform.fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      // Refused for what is in it: the carrier is there, and others' messages must not suffer for this one.
      if (MESSAGE_REFUSED.has(response.status)) return false;
      return response.ok ? true : undefined;
    });
    return isTaken === true;
  };
}

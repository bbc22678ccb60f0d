import type { Message, Messages } from '../../ports/message.ts';
import type { Carriers } from '../../service/config.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { resendEmail } from './resend.ts';
import { unifonicSms } from './unifonic.ts';

/** Messages through carriers: each channel by its own, and none for a channel without one. */
export function carriedMessages({ sms, email }: Carriers, platform: ProviderPlatform): Messages {
  const nobody = (_message: Message) => Promise.resolve(false);
  const send = {
    SMS: sms === undefined ? nobody : unifonicSms(sms, platform),
    EMAIL: email === undefined ? nobody : resendEmail(email, platform),
  };
  return { provider: 'carriers', send: (message) => send[message.channel](message) };
}

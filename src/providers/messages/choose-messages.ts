import type { MessageChannel } from '../../contract/message.ts';
import { part } from '../../core/part.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, Messages } from '../../ports/message.ts';
import type { Random } from '../../ports/random.ts';
import type { Carriers, Config } from '../../service/config.ts';
import type { Store } from '../../service/services.ts';
import { noMessages } from '../absent.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import type { Carrier, Sender } from './carriers.ts';
import { inboxMessages } from './inbox.ts';

/** How a deployment sends messages: through its carriers. Without carriers, `local` has an inbox; others send nothing. */
export function chooseMessages(
  { deployment, carriers, baseUrl }: Pick<Config, 'deployment' | 'carriers' | 'messageFolder' | 'baseUrl'>,
  directory: Store,
  platform: ProviderPlatform & { readonly clock: Clock; readonly random: Random },
): { readonly messages: Messages; readonly inbox: Inbox | undefined } {
  if (carriers !== undefined)
    return { messages: carriedMessages({ ...carriers, baseUrl }, platform), inbox: undefined };
  if (deployment !== 'local') return { messages: noMessages, inbox: undefined };
  const inbox = inboxMessages(directory, platform.clock, platform.random);
  return { messages: inbox, inbox };
}

const adapters = part(() => import('./carriers.ts'));

/** Sends nothing. */
const nobody: Carrier = { send: () => Promise.resolve(false), isDown: () => true };

/** Sends each channel's messages through its carrier. A channel without a carrier sends nothing. */
export function carriedMessages({ sms, email, baseUrl }: Carriers & Sender, platform: ProviderPlatform): Messages {
  const accounts = { SMS: sms, EMAIL: email };
  // Loaded with the first message.
  let opened: Record<MessageChannel, Carrier> | undefined;
  return {
    provider: 'carriers',
    isDown: (channel) => accounts[channel] === undefined || opened?.[channel].isDown() === true,
    async send(message) {
      if (accounts[message.channel] === undefined) return false;
      const { resendEmail, unifonicSms } = await adapters();
      opened ??= {
        SMS: sms === undefined ? nobody : unifonicSms({ ...sms, baseUrl }, platform),
        EMAIL: email === undefined ? nobody : resendEmail({ ...email, baseUrl }, platform),
      };
      return opened[message.channel].send(message);
    },
  };
}

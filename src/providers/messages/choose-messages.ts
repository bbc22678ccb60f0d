import type { Clock } from '../../ports/clock.ts';
import type { Inbox, Messages } from '../../ports/message.ts';
import type { Random } from '../../ports/random.ts';
import type { Config } from '../../service/config.ts';
import type { Store } from '../../service/services.ts';
import type { ProviderPlatform } from '../guarded-call.ts';
import { carriedMessages } from './carriers.ts';
import { inboxMessages } from './inbox.ts';
import { noMessages } from './none.ts';

/** How messages leave a deployment: by its carriers; on `local`, without any, into an inbox; elsewhere not at all. */
export function chooseMessages(
  { deployment, carriers }: Pick<Config, 'deployment' | 'carriers'>,
  directory: Store,
  platform: ProviderPlatform & { readonly clock: Clock; readonly random: Random },
): { readonly messages: Messages; readonly inbox: Inbox | undefined } {
  if (carriers !== undefined) return { messages: carriedMessages(carriers, platform), inbox: undefined };
  if (deployment !== 'local') return { messages: noMessages, inbox: undefined };
  const inbox = inboxMessages(directory, platform.clock, platform.random);
  return { messages: inbox, inbox };
}

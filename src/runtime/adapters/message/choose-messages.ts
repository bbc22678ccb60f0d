import type { Config } from '../../config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, Messages } from '../../ports/message.ts';
import type { Random } from '../../ports/random.ts';
import type { Store } from '../../services.ts';
import { inboxMessages } from './inbox.ts';
import { noMessages } from './none.ts';

/** How one-time codes leave a deployment: on `local` into an inbox. No provider is known yet, so elsewhere nobody can be sent one. */
export function chooseMessages(
  { deployment }: Pick<Config, 'deployment'>,
  directory: Store,
  { clock, random }: { clock: Clock; random: Random },
): { readonly messages: Messages; readonly inbox: Inbox | undefined } {
  if (deployment !== 'local') return { messages: noMessages, inbox: undefined };
  const inbox = inboxMessages(directory, clock, random);
  return { messages: inbox, inbox };
}

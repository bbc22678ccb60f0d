import type { Messages } from '../../ports/message.ts';

/** A deployment without a provider: nobody can be sent a code. */
export const noMessages: Messages = { provider: 'none', send: () => Promise.resolve(false) };

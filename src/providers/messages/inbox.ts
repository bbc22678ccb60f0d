import { formatInstant } from '../../core/instant.ts';
import { part } from '../../core/part.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox } from '../../ports/message.ts';
import type { Random } from '../../ports/random.ts';
import type { Store } from '../../service/services.ts';

const codes = part(() => import('../../domain/challenges/store.ts'));

/** Keeps codes in the directory, so that every isolate finds them, also after a restart. For local deployments only. */
export function inboxMessages({ database, writer }: Store, clock: Clock, random: Random): Inbox {
  return {
    provider: 'inbox',
    isDown: () => false,
    async send(message) {
      const { oneTimeCodeInsert } = await codes();
      const row = { ...message, code: message.code ?? '', id: random.uuid(), createdAt: clock.now() };
      return (await writer.commit({ statements: [oneTimeCodeInsert(row)] })).status === 'committed';
    },
    async read(recipient) {
      const { codesOf } = await codes();
      const answer = await database.read(codesOf(recipient));
      if (!answer.ok) return undefined;
      return answer.rows.map(({ channel, purpose, code, createdAt }) => {
        return { recipient, channel, purpose, code, createdAt: formatInstant(createdAt) };
      });
    },
    async readNotices(recipient) {
      const { noticesOf } = await codes();
      const answer = await database.read(noticesOf(recipient));
      if (!answer.ok) return undefined;
      return answer.rows.map(({ channel, purpose, createdAt }) => {
        return { recipient, channel, purpose, createdAt: formatInstant(createdAt) };
      });
    },
  };
}

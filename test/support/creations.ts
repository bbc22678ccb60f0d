import { type Headers, type Merchant, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { type JsonObject, newKey, shipmentBody } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';

/** An acknowledged creation. */
export interface Creation {
  readonly body: JsonObject;
  readonly key: Headers;
  readonly shipmentId: string;
  /** The response text. */
  readonly text: string;
  readonly requestId: string;
  readonly answeredAt: number;
}

export interface Creations {
  /** In the order of their responses. */
  readonly made: readonly Creation[];
  /** Statuses of responses that had to be retried. */
  readonly refused: readonly number[];
  /** Resolves when this many creations are acknowledged. */
  acknowledged(count: number): Promise<void>;
  /** Stops new creations, and resolves when all running ones are acknowledged. */
  stop(): Promise<void>;
}

/** A merchant who creates shipments in several concurrent lines, and retries 503 and 409 with the same key. */
export function startCreations(merchant: Merchant, lines = 4): Creations {
  const made: Creation[] = [];
  const refused: number[] = [];
  let isStopped = false;
  const createOne = async () => {
    const body = shipmentBody(merchant.company);
    const key = { 'idempotency-key': newKey() };
    const ask = async () => {
      const answer = await merchant.post(SHIPMENTS, body, key);
      if (answer.status !== 503 && answer.status !== 409) return answer;
      refused.push(answer.status);
      await answer.body?.cancel();
      return undefined;
    };
    const response = await until('a creation is answered', ask, { withinMs: 60_000, everyMs: 100 });
    const text = await response.text();
    if (response.status !== 201 && response.status !== 200) throw new Error(`Not created: ${response.status} ${text}`);
    const { shipmentId } = JSON.parse(text) as { shipmentId: string };
    const requestId = response.headers.get('x-request-id') ?? '';
    made.push({ body, key, shipmentId, text, requestId, answeredAt: Date.now() });
  };
  const line = async () => {
    while (!isStopped) await createOne();
  };
  const running = Promise.all(Array.from({ length: lines }, line));
  const failed = running.then(() => undefined);
  return {
    made,
    refused,
    acknowledged: async (count) => {
      const enough = until(`${count} creations`, () => (made.length >= count ? true : undefined), {
        withinMs: 60_000,
        everyMs: 5,
      });
      await Promise.race([enough, failed]);
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { Environment } from '../connection.ts';
import type { Merchant } from '../merchant.ts';
import { shipmentBody } from '../shipments.ts';
import { type Patience, until } from '../until.ts';
import { type Exercise, newMerchant } from './scene.ts';

export const REQUESTS = '/v2/external/requests';

/** The request log. */
export const REQUEST_LOG_EXERCISES: Readonly<Record<string, Exercise>> = {
  'requestLog.list': { good: async () => ({ path: REQUESTS, headers: {} }) },
  'requestLog.get': {
    async good({ environment, sandbox }) {
      const { requestId } = await logOne(sandbox.merchant);
      return {
        path: `${REQUESTS}/${requestId}`,
        headers: {},
        authorization: await authorizationOf(environment, sandbox),
      };
    },
    own: ({ environment }) => [[404, async () => (await newMerchant(environment)).get(`${REQUESTS}/${randomUUID()}`)]],
  },
};

async function authorizationOf(environment: Environment, { company }: Pick<Merchant, 'company'>): Promise<string> {
  return `Bearer ${await environment.token(company)}`;
}

/** Above a hundred successes a second, only one of fifty is in the log. */
const TRIES = 5;
const TRY_MS = 3000;

/** Creates shipments until the request of one is in the log. */
export async function logOne(
  merchant: Merchant,
): Promise<{ readonly requestId: string; readonly correlationId: string }> {
  for (let tries = 1; ; tries += 1) {
    const { headers } = await merchant.postShipment(shipmentBody(merchant.company));
    const requestId = headers.get('x-request-id') ?? '';
    try {
      await untilLogged(merchant, requestId, tries < TRIES ? { withinMs: TRY_MS } : {});
      return { requestId, correlationId: headers.get('x-correlation-id') ?? '' };
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

/** Waits until a request of the merchant is in the log, and returns its entry. */
export async function untilLogged(merchant: Merchant, requestId: string, patience: Patience = {}): Promise<Response> {
  return until(
    `${requestId} is in the log`,
    async () => {
      const page = await merchant.get(`${REQUESTS}?limit=100`);
      return (await page.text()).includes(requestId) ? merchant.get(`${REQUESTS}/${requestId}`) : undefined;
    },
    patience,
  );
}

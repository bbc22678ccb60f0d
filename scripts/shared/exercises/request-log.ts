import { randomUUID } from 'node:crypto';
import type { Environment } from '../connection.ts';
import type { Merchant } from '../merchant.ts';
import { shipmentBody } from '../shipments.ts';
import { until } from '../until.ts';
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

/** Creates a shipment, and waits until the request is in the log. */
export async function logOne(
  merchant: Merchant,
): Promise<{ readonly requestId: string; readonly correlationId: string }> {
  const answer = await merchant.postShipment(shipmentBody(merchant.company));
  const requestId = answer.headers.get('x-request-id') ?? '';
  await untilLogged(merchant, requestId);
  return { requestId, correlationId: answer.headers.get('x-correlation-id') ?? '' };
}

/** Waits until a request of the merchant is in the log, and returns its entry. */
export async function untilLogged(merchant: Merchant, requestId: string): Promise<Response> {
  return until(`${requestId} is in the log`, async () => {
    const page = await merchant.get(`${REQUESTS}?limit=100`);
    return (await page.text()).includes(requestId) ? merchant.get(`${REQUESTS}/${requestId}`) : undefined;
  });
}

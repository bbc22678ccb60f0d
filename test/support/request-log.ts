import type { Merchant } from '../../scripts/shared/merchant.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { type Patience, until } from '../../scripts/shared/until.ts';

/* The request log, as tests read it. */

export const REQUESTS = '/v2/external/requests';

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

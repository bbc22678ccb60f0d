import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../scripts/shared/connection.ts';
import type { Merchant } from '../../../scripts/shared/merchant.ts';
import { logOne, REQUESTS } from '../request-log.ts';
import { type Exercise, newMerchant } from './scene.ts';

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

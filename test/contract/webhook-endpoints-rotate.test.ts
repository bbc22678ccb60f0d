import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { webhooksOf } from '../../scripts/shared/webhooks.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const URL = 'https://hooks.shop.example/mirsal';

async function newMerchant() {
  const merchant = await merchantOf(environment, await addCompany(environment));
  return { merchant, webhooks: await webhooksOf(environment, merchant) };
}

describe('a rotation of the signing secret', () => {
  it('starts an overlap, during which another rotation is refused', async () => {
    const { webhooks } = await newMerchant();
    const { endpointId, signingSecret } = await webhooks.add(URL);
    const response = await webhooks.rotate(endpointId, 3600);
    expect(response.status).toBe(201);
    const rotated = (await response.json()) as { signingSecret: string; previousSecretExpiresAt: string };
    expect(rotated.signingSecret).not.toBe(signingSecret);
    expect(await webhooks.get(endpointId)).toMatchObject({
      secretHint: rotated.signingSecret.slice(-4),
      previousSecretExpiresAt: rotated.previousSecretExpiresAt,
      version: 1,
    });
    await expectProblem(await webhooks.rotate(endpointId, 0), { status: 409, code: 'SECRET_ROTATION_IN_PROGRESS' });
    // Simulates the end of the hour.
    const end = 'update webhook_endpoints set previous_secret_expires_at = created_at where id = ?';
    await environment.sql('shard-1', end, [endpointId]);
    expect((await webhooks.get(endpointId)).previousSecretExpiresAt).toBeNull();
    expect((await webhooks.rotate(endpointId, 0)).status).toBe(201);
  });

  it('without an overlap removes the previous secret at once', async () => {
    const { webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    expect(await (await webhooks.rotate(endpointId, 0)).json()).toMatchObject({ previousSecretExpiresAt: null });
    const select = 'select previous_secret from webhook_endpoints where id = ?';
    expect(await environment.sql('shard-1', select, [endpointId])).toEqual([{ previous_secret: null }]);
  });

  it('overlaps for a day by default, and lets one of five concurrent requests through', async () => {
    const { webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    const answers = await Promise.all(Array.from({ length: 5 }, () => webhooks.rotate(endpointId)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409, 409, 409,
    ]);
    const { previousSecretExpiresAt, updatedAt } = await webhooks.get(endpointId);
    expect(Date.parse(previousSecretExpiresAt ?? '') - Date.parse(updatedAt)).toBe(86_400_000);
  });

  it.each([-1, 604_801])('refuses an overlap of %i seconds', async (overlapSeconds) => {
    const { webhooks } = await newMerchant();
    const { endpointId } = await webhooks.add(URL);
    const response = await webhooks.rotate(endpointId, overlapSeconds);
    await expectProblem(response, {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['overlapSeconds OUT_OF_RANGE'],
    });
  });
});

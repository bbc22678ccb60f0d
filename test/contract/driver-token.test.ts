import { describe, expect, it } from 'vitest';
import { driverOf, newSandbox } from '../../scripts/shared/sandbox.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const sandbox = await newSandbox(environment);
const driver = await sandbox.signIn();

describe('a driver’s token', () => {
  const merchantToken = environment.token(sandbox.company);

  it.each(['/offers', '/shipments'])('is the only credential that GET %s accepts', async (path) => {
    const bad = [
      'x',
      `drv_shard-1_${'a'.repeat(43)}`,
      `drv_nowhere_${'a'.repeat(43)}`,
      `${driver.token.slice(0, -2)}AA`,
      await merchantToken,
    ];
    for (const token of bad) {
      const response = await driverOf(environment, token).get(path);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="mirsal", error="invalid_token"');
      await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    }
    const none = await environment.fetch(`/v2/driver${path}`);
    expect({ status: none.status, challenge: none.headers.get('www-authenticate') }).toEqual({
      status: 401,
      challenge: 'Bearer realm="mirsal"',
    });
  });

  it('ends when its session expires or its driver becomes inactive', async () => {
    const own = await newSandbox(environment);
    const one = await own.signIn();
    await environment.sql(own.company.shard, "update drivers set status = 'INACTIVE' where company_id = ?", [
      own.company.companyId,
    ]);
    expect((await one.get('/offers')).status).toBe(401);
    await environment.sql(own.company.shard, "update drivers set status = 'ACTIVE' where company_id = ?", [
      own.company.companyId,
    ]);
    // A refused token is looked up again after five seconds.
    await expect.poll(async () => (await one.get('/offers')).status, { timeout: 10_000, interval: 250 }).toBe(200);
    // A session that was read before is remembered for up to 50 seconds, so this one is new.
    const unused = await own.signIn();
    const ofCompany = 'driver_id in (select id from drivers where company_id = ?)';
    await environment.sql(own.company.shard, `update driver_sessions set expires_at = 1 where ${ofCompany}`, [
      own.company.companyId,
    ]);
    expect((await unused.get('/offers')).status).toBe(401);
  });
});

it('driver procedures work over tRPC', async () => {
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  const { driver: procedures } = trpcClient(environment, driver.token);
  expect((await procedures.listOffers.query({ limit: 100 })).data.some((one) => one.shipmentId === shipmentId)).toBe(
    true,
  );
  expect(await procedures.act.mutate({ shipmentId, action: 'ACCEPT' })).toMatchObject({
    state: 'ACCEPTED',
    totalWeightKilograms: '2.5',
  });
});

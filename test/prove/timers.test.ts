import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { type Merchant, merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { type Mortal, makeMortal } from '../../scripts/shared/mortal-service.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { readShipment } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';

/*
 * Due times are stored in the database, so a killed process neither loses due work nor repeats it. Both runtimes run at
 * once, because the test mostly waits.
 */

/** Long enough for the offer to be open when everything else has started. */
const DISPATCH_WAITS = JSON.stringify({ offerSeconds: 5, candidateSeconds: 900, lookSeconds: 1 });

const RUNTIMES = ['worker', 'deno'] as const;
const open = new Map<Runtime, Stage>();

beforeAll(async () => {
  await Promise.all(RUNTIMES.map(async (runtime) => open.set(runtime, await openStage(runtime))));
});
afterAll(async () => {
  for (const stage of open.values()) await closeStage(stage);
});

it.concurrent.each(RUNTIMES)(
  '%s: offers, scenarios and approvals survive a killed service and a killed database',
  async (runtime) => {
    const stage = open.get(runtime);
    if (stage === undefined) throw new Error(`${runtime} did not start`);
    const { environment, mortal } = stage;

    const beforeService = await begin(stage);
    await mortal.kill();
    await expectUnderWay(environment, beforeService);
    await environment.restart({});
    await expectDone(stage, beforeService);

    const shard = environment.databases.shards['shard-1'];
    const beforeDatabase = await begin(stage);
    await shard.kill();
    await shard.restart();
    await expectUnderWay(environment, beforeDatabase);
    await expectDone(stage, beforeDatabase);
  },
);

interface Stage {
  readonly mortal: Mortal;
  readonly environment: OwnEnvironment;
  readonly sandbox: Sandbox;
  /** A merchant with no driver near its pickup location. */
  readonly merchant: Merchant;
}

interface Begun {
  readonly offer: string;
  readonly course: string;
  readonly approval: string;
}

async function openStage(runtime: Runtime): Promise<Stage> {
  const mortal = await makeMortal(runtime);
  const environment = await startEnvironment(runtime, { DISPATCH_WAITS }, mortal.start);
  const sandbox = await newSandbox(environment, 'shard-1');
  const merchant = await merchantOf(environment, await addCompany(environment, 'shard-1'));
  return { mortal, environment, sandbox, merchant };
}

async function closeStage({ environment, mortal }: Stage): Promise<void> {
  await environment.stop();
  mortal.forget();
}

/** An offer that no driver answers, a scenario after its first step, and a new shipment. */
async function begin({ sandbox, merchant }: Stage): Promise<Begun> {
  const course = await sandbox.create();
  // On a busy machine the offer takes seconds, and the course must still be under way then.
  await sandbox.play(course.shipmentId, 'HAPPY_PATH', 3);
  await sandbox.untilState(course.shipmentId, 'ACCEPTED');
  const offer = await sandbox.create();
  await sandbox.untilState(offer.shipmentId, 'OFFERED');
  const approval = await merchant.create();
  return { offer: offer.shipmentId, course: course.shipmentId, approval: approval.shipmentId };
}

/** Both were still running when the process was killed. */
async function expectUnderWay(environment: OwnEnvironment, { offer, course }: Begun): Promise<void> {
  const stateOf = async (id: string) =>
    (await environment.sql('shard-1', 'select state from shipments where id = ?', [id]))[0]?.['state'];
  expect(await stateOf(offer)).toBe('OFFERED');
  expect(['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY']).toContain(await stateOf(course));
}

async function expectDone({ sandbox, merchant }: Stage, { offer, course, approval }: Begun): Promise<void> {
  const approved = await until(`${approval} is approved`, async () => {
    const shipment = await readShipment(await merchant.get(`${SHIPMENTS}/${approval}`));
    return shipment.approvedAt === null ? undefined : shipment;
  });
  expect(approved).toMatchObject({ state: 'READY_FOR_DISPATCH', version: 1 });

  expect((await sandbox.untilState(course, 'DELIVERED')).version).toBe(6);
  expect(await sandbox.timeline(course)).toEqual([
    'created MERCHANT',
    'approved SYSTEM',
    'offered SYSTEM',
    'accepted DRIVER',
    'picked_up DRIVER',
    'out_for_delivery DRIVER',
    'delivered DRIVER',
  ]);

  // The only driver let the offer expire, and gets no second offer in a row.
  expect((await sandbox.untilState(offer, 'READY_FOR_DISPATCH')).version).toBe(3);
  expect(await sandbox.timeline(offer)).toEqual([
    'created MERCHANT',
    'approved SYSTEM',
    'offered SYSTEM',
    'offer_expired SYSTEM',
  ]);
}

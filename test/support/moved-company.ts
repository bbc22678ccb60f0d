import { expect } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { EVENTS, type EventBody, readEventPage } from '../../scripts/shared/events.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { answering, type Receiver } from '../../scripts/shared/receiver.ts';
import { newSandbox, SANDBOX, type TestDriver } from '../../scripts/shared/sandbox.ts';
import { readShipmentPage } from '../../scripts/shared/shipments.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { webhooksOf } from '../../scripts/shared/webhooks.ts';
import { type Creation, startCreations } from './creations.ts';
import { eventsAfter, runCommand, startReads } from './moves.ts';
import { type OwnedRows, ownedRows, stillRows } from './owned-rows.ts';
import { type Subscription, subscribe } from './subscription.ts';

/** A company with some of every resource, and the responses it got before its move. */
export interface Settled {
  readonly one: Subscription;
  readonly driver: TestDriver;
  /** Delivered, so it no longer changes. */
  readonly deliveredId: string;
  readonly text: string;
  readonly withDriverId: string;
  readonly linkToken: string;
  readonly events: readonly EventBody[];
  readonly feedCursor: string | null;
  readonly listCursor: string | null;
}

export async function settleDown(environment: OwnEnvironment, receiver: Receiver): Promise<Settled> {
  const one = await subscribe(environment, receiver);
  const { merchant } = one;
  const driver = await one.signIn();
  const { shipmentId: deliveredId } = await one.create();
  await one.play(deliveredId, 'HAPPY_PATH');
  await one.untilState(deliveredId, 'DELIVERED');
  const { token: linkToken } = await createLink(merchant, (await one.create()).shipmentId);
  const { shipmentId: withDriverId } = await one.create();
  await one.untilState(withDriverId, 'OFFERED');
  await driver.act(withDriverId, { action: 'ACCEPT' });
  return {
    ...{ one, driver, deliveredId, withDriverId, linkToken },
    text: await (await merchant.get(`${SHIPMENTS}/${deliveredId}`)).text(),
    events: await eventsAfter(merchant),
    feedCursor: (await readEventPage(await merchant.get(`${EVENTS}?limit=3`))).page.nextCursor,
    listCursor: (await readShipmentPage(await merchant.get(`${SHIPMENTS}?limit=1`))).page.nextCursor,
  };
}

/** What happened during the move. */
export interface Journey {
  readonly made: readonly Creation[];
  /** Statuses of the company's retried writes, its failed reads, and the retried writes of another company. */
  readonly refused: readonly number[];
  readonly unread: readonly number[];
  readonly othersRefused: readonly number[];
  /** All rows of the company in the old shard, once it was frozen. */
  readonly frozen: OwnedRows;
}

/** Moves the company from shard-1 to shard-2 under load, with a command that is killed halfway and run again. */
export async function moveAtWork(environment: OwnEnvironment, { one, deliveredId }: Settled): Promise<Journey> {
  const { merchant, company, receiver } = one;
  // The receiver refuses everything until the company has moved.
  receiver.respond = answering(429, { 'retry-after': '5' });
  const other = await merchantOf(environment, await addCompany(environment, 'shard-1'));
  const [creations, others] = [startCreations(merchant), startCreations(other, 1)];
  const reads = startReads(merchant, `${SHIPMENTS}/${deliveredId}`);
  await creations.acknowledged(10);
  expect(await runCommand(environment, company, { killedAtLine: 'shipments: ' })).toBe('SIGKILL');
  const frozen = await ownedRows(environment, company);
  expect(await runCommand(environment, company)).toBe('code 0');
  await creations.acknowledged(creations.made.length + 10);
  await Promise.all([creations.stop(), others.stop()]);
  const unread = await reads.stop();
  receiver.respond = answering(200);
  await environment.service.sweep();
  return { made: creations.made, refused: creations.refused, unread, othersRefused: others.refused, frozen };
}

/** An idle company with some of every resource that a move touches, and all its rows. */
export async function addBystander(environment: OwnEnvironment, shard: ShardId, receiver: Receiver) {
  const sandbox = await newSandbox(environment, shard);
  const { company, merchant } = sandbox;
  await (await webhooksOf(environment, merchant)).add(receiver.url);
  await sandbox.signIn();
  const { shipmentId } = await sandbox.create();
  await createLink(merchant, shipmentId);
  await sandbox.play(shipmentId, 'HAPPY_PATH');
  await sandbox.untilState(shipmentId, 'DELIVERED');
  // One more shipment waits for a driver, held so that dispatch does not change it.
  await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
  await sandbox.untilState((await sandbox.create()).shipmentId, 'READY_FOR_DISPATCH');
  await environment.sql(shard, 'update shipments set ready_since = 1 where company_id = ? and ended_at is null', [
    company.companyId,
  ]);
  const rows = await stillRows(environment, company, { places: true });
  return { company, rows };
}

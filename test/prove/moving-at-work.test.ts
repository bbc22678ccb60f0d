import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITHOUT_ROWID } from '../../db/without-rowid.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { EVENTS } from '../../scripts/shared/events.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { follow } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { addBystander, type Journey, moveAtWork, type Settled, settleDown } from '../support/moved-company.ts';
import { allDelivered, eventsAfter, expectOnlyIn, outOfTurn, sentTo, sequencesOf } from '../support/moves.ts';
import { keysOf, ownedRows } from '../support/owned-rows.ts';
import { expectProblem } from '../support/problem.ts';
import { receivers } from '../support/subscription.ts';
import { expectWholeShards } from '../support/whole-shard.ts';
import { startWithoutDrivers } from '../support/without-drivers.ts';

/* The steps of docs/operations.md, "Move a company", under load. */

const { start, close } = receivers();
afterAll(close);

describe.each(['worker', 'deno'] as const)('a move on %s', (runtime) => {
  let environment: OwnEnvironment;
  beforeAll(async () => {
    environment = await startWithoutDrivers(runtime);
  });
  afterAll(() => environment.stop());

  describe('loses and duplicates nothing of a busy company, and changes no other company', () => {
    let bystanders: Awaited<ReturnType<typeof addBystander>>[];
    let before: Settled;
    let during: Journey;
    beforeAll(async () => {
      const receiver = await start();
      bystanders = [];
      for (const shard of ['shard-1', 'shard-2'] as const) {
        bystanders.push(await addBystander(environment, shard, receiver));
      }
      before = await settleDown(environment, await start());
      during = await moveAtWork(environment, before);
    }, 180_000);

    it('answers 503 to writes only', () => {
      expect(during.unread).toEqual([]);
      expect(during.othersRefused).toEqual([]);
      expect(during.refused.length).toBeGreaterThan(0);
      expect(during.refused.filter((status) => status !== 503)).toEqual([]);
    });

    it('keeps everything acknowledged, byte for byte', async () => {
      const { merchant } = before.one;
      for (const { body, key, text } of during.made) {
        const replay = await merchant.postShipment(body, key);
        expect([replay.status, await replay.text()]).toEqual([200, text]);
      }
      expect(await (await merchant.get(`${SHIPMENTS}/${before.deliveredId}`)).text()).toBe(before.text);
    });

    it('keeps links, drivers and lists working, and refuses cursors of the feed', async () => {
      const { merchant } = before.one;
      expect((await follow(environment, before.linkToken)).status).toBe(200);
      expect((await before.driver.act(before.withDriverId, { action: 'PICK_UP' })).status).toBe(200);
      expect((await merchant.get(`${SHIPMENTS}?limit=1&cursor=${before.listCursor}`)).status).toBe(200);
      const refused = await merchant.get(`${EVENTS}?limit=3&cursor=${before.feedCursor}`);
      await expectProblem(refused, { status: 400, code: 'INVALID_CURSOR' });
    });

    it('lists every event once, the old ones first and unchanged', async () => {
      const events = await eventsAfter(before.one.merchant);
      expect(events.slice(0, before.events.length)).toEqual(before.events);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      const sequences = sequencesOf(events);
      for (const { shipmentId } of during.made) expect(sequences.get(shipmentId)?.length ?? 0).toBeGreaterThan(1);
      for (const [shipmentId, known] of sequences) {
        const gapless = known.map((_, index) => index + 1);
        expect([shipmentId, known]).toEqual([shipmentId, gapless]);
      }
      const seen = before.events[2]?.id;
      const after = await eventsAfter(before.one.merchant, seen);
      expect(after.slice(0, events.length - 3)).toEqual(events.slice(3));
    });

    it('leaves all its rows in the new shard only, and both shards consistent', async () => {
      const { company } = before.one;
      await expectOnlyIn(environment, company, 'shard-2');
      const rows = await ownedRows(environment, { ...company, shard: 'shard-2' });
      expect(rows['events']?.slice(0, during.frozen['events']?.length)).toEqual(during.frozen['events']);
      const keys = keysOf(rows);
      for (const [table, moved] of Object.entries(keysOf(during.frozen))) {
        // Without a rowid, later rows lie between those that were moved.
        if (WITHOUT_ROWID.has(table)) expect(keys[table], table).toEqual(expect.arrayContaining([...moved]));
        else expect(keys[table]?.slice(0, moved.length), table).toEqual(moved);
      }
      await expectWholeShards(environment);
    });

    it('delivers every event once, in the order of its shipment', async () => {
      const { one } = before;
      await until('everything is delivered', () => allDelivered(environment, one), { withinMs: 45_000, everyMs: 250 });
      const sent = sentTo(one);
      expect(outOfTurn(sent)).toEqual([]);
      const taken = sent.filter(({ isTaken }) => isTaken).map(({ event }) => event.id);
      expect(taken.length).toBeLessThan(sent.length);
      expect(taken.filter((id, index) => taken.indexOf(id) !== index)).toEqual([]);
    }, 60_000);

    it('leaves the rows of two idle companies unchanged', async () => {
      for (const { company, rows } of bystanders) {
        expect(await ownedRows(environment, company, { places: true }), company.shard).toEqual(rows);
      }
    });
  });
});

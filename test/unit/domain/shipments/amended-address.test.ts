import { beforeEach, expect, test } from 'vitest';
import type { AmendmentRequest } from '../../../../src/contract/shipment-amendment.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { replaceNationalAddress } from '../../../../src/domain/addresses/record.ts';
import { amend, pin } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addShipment, give } from '../../../support/dispatch/shipments.ts';

/* The short code of the National Address in an amendment of the shipment. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let id: Uuid;
beforeEach(async () => {
  shard = openMemoryShard();
  const known = shard.process();
  process = { ...known, addresses: { ...known.addresses, registry: 'fixture' } };
  id = await addShipment(shard, process);
  await give(shard, process, id, { name: 'APPROVE' });
  return () => shard.close();
});

const ask = (request: AmendmentRequest) => amend(shard, process, id, request);
const record = async () =>
  (
    await shard.rows(
      'select short_address, status, source, found, distance_meters, check_due_at is not null, version from national_addresses',
    )
  )[0];
const kept = () => shard.rows('select changes, before, after from shipment_amendments order by number');
const gate = async () => (await shard.rows('select address_gate from shipments'))[0]?.[0];

test('gives a shipment its National Address, to be checked', async () => {
  expect(await ask({ shortAddress: 'RRRD2929' })).toMatchObject({ ok: true, value: { shipment: { version: 2 } } });
  expect(await record()).toEqual(['RRRD2929', 'UNVERIFIED', 'MERCHANT', null, null, 1, 1]);
  expect(await kept()).toEqual([['["SHORT_ADDRESS"]', '{"shortAddress":null}', '{"shortAddress":"RRRD2929"}']]);
});

test('replaces one whatever its version is, and keeps the code before it', async () => {
  await ask({ shortAddress: 'RRRD2929' });
  await shard.rows("update national_addresses set status = 'VERIFIED', found = '{}', distance_meters = 3, version = 7");
  expect(await ask({ shortAddress: 'JEDA1234' })).toMatchObject({ ok: true, value: { shipment: { version: 3 } } });
  expect(await record()).toEqual(['JEDA1234', 'UNVERIFIED', 'MERCHANT', null, null, 1, 8]);
  expect((await kept())[1]).toEqual([
    '["SHORT_ADDRESS"]',
    '{"shortAddress":"RRRD2929"}',
    '{"shortAddress":"JEDA1234"}',
  ]);
});

test('changes nothing if it is the same code', async () => {
  await ask({ shortAddress: 'RRRD2929' });
  await shard.rows("update national_addresses set status = 'VERIFIED', version = 2");
  expect(await ask({ shortAddress: 'RRRD2929' })).toMatchObject({ ok: true, value: { shipment: { version: 2 } } });
  expect(await record()).toEqual(['RRRD2929', 'VERIFIED', 'MERCHANT', null, null, 1, 2]);
});

test('opens a closed gate', async () => {
  await shard.rows("update shipments set address_gate = 'CLOSED', ready_since = null");
  await ask({ shortAddress: 'RRRD2929' });
  expect(await gate()).toBe('OPEN');
});

test('with a new pin is checked once', async () => {
  await ask({ shortAddress: 'RRRD2929' });
  await ask({ ...pin('24.76'), shortAddress: 'JEDA1234' });
  expect(await record()).toEqual(['JEDA1234', 'UNVERIFIED', 'MERCHANT', null, null, 1, 2]);
  expect((await kept())[1]?.[0]).toBe('["LOCATION","SHORT_ADDRESS"]');
});

test('is refused if another code has come meanwhile', async () => {
  await ask({ shortAddress: 'RRRD2929' });
  const before = async () => {
    const order = {
      shipmentId: id,
      precondition: { kind: 'any' },
      shortAddress: 'RRRD3030',
      source: 'MERCHANT',
    } as const;
    await replaceNationalAddress(process, shard.scope, order);
  };
  expect(await amend(shard, process, id, { shortAddress: 'JEDA1234' }, { before })).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect((await record())?.slice(0, 1)).toEqual(['RRRD3030']);
  expect(await shard.rows('select version, amendment_count from shipments')).toEqual([[2, 1]]);
});

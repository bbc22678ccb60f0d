import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { DriverActionRequest } from '../../../../src/contract/driver.ts';
import { sha256Hex } from '../../../../src/core/crypto.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds, formatInstant } from '../../../../src/core/instant.ts';
import { parseStored } from '../../../../src/core/json.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { actOnShipment } from '../../../../src/domain/drivers/act.ts';
import { bindAnswer } from '../../../../src/domain/idempotency/once.ts';
import { pinOf } from '../../../../src/domain/proof/pin.ts';
import type { ProofRecord } from '../../../../src/domain/proof/prepare.ts';
import { resendPin } from '../../../../src/domain/proof/tell-pin.ts';
import type { Lane } from '../../../../src/domain/shipments/command.ts';
import type { Message } from '../../../../src/ports/message.ts';
import { monotonicMs } from '../../../../src/providers/system.ts';
import { ShipmentLanes } from '../../../../src/service/shipment-lanes.ts';
import { amend, pin as movedPin } from '../../../support/dispatch/amendments.ts';
import { type MemoryShard, openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/* What drivers prove at the door. */

let shard: MemoryShard;
let process: ReturnType<MemoryShard['process']>;
let driverId: Uuid;
let sent: Message[];
let isCarrierUp: boolean;
beforeEach(async () => {
  shard = openMemoryShard();
  process = shard.process();
  driverId = await addDriver(shard, process);
  sent = [];
  isCarrierUp = true;
  return () => shard.close();
});

const messages = {
  provider: 'carriers',
  isDown: () => false,
  send: (message: Message) => {
    sent.push(message);
    return Promise.resolve(isCarrierUp);
  },
} as const;

/** With a driver who has picked it up. */
async function pickedUp(requirements: readonly string[]) {
  const id = await addShipment(shard, process, { requirements: [...requirements] });
  await give(shard, process, id, { name: 'APPROVE' });
  await give(shard, process, id, offerTo(shard, driverId));
  for (const name of ['ACCEPT', 'PICK_UP'] as const) await give(shard, process, id, { name, driverId });
  return id;
}

async function atTheDoor(...requirements: readonly string[]) {
  const id = await pickedUp(requirements);
  expect(await act(id, { action: 'DEPART' })).toMatchObject({ ok: true });
  return id;
}

/** `meanwhile` runs after the action was judged, and before its command. */
async function act(id: Uuid, order: DriverActionRequest, meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  const lanes = new ShipmentLanes(() => process, monotonicMs);
  const lane: Lane = { execute: async (...command) => meanwhile().then(() => lanes.execute(...command)) };
  const work: Promise<unknown>[] = [];
  const done = await actOnShipment(
    { ...process, messages, lane, later: (promise) => work.push(promise) },
    { driverId, shard: 'shard-1', companyId: null },
    { ...order, shipmentId: id, correlationId: newId() },
  );
  await Promise.all(work);
  return done;
}

async function pinOfShipment(id: Uuid) {
  const [[recipientPhone, destination] = []] = await shard.rows(
    `select recipient_phone, destination from shipments where id = '${id}'`,
  );
  return pinOf(process.config, { id, recipientPhone: String(recipientPhone), destination: String(destination) });
}
const wrong = (pin: string) => String((Number(pin) + 1) % 10_000).padStart(4, '0');

const stateOf = async (id: Uuid) => (await shard.rows(`select state from shipments where id = '${id}'`))[0]?.[0];
const records = async () =>
  (await shard.rows('select record, sha256, evidence from delivery_proofs')).map(([record, sha256, evidence]) => ({
    text: String(record),
    record: parseStored<ProofRecord>(String(record)),
    sha256,
    evidence,
  }));
async function eventData(id: Uuid, type: string) {
  const [[body] = []] = await shard.rows(`select body from events where shipment_id = '${id}' and type = '${type}'`);
  return parseStored<{ data: Record<string, unknown> }>(String(body)).data;
}
const HERE = { latitude: literalDecimal('24.7501'), longitude: literalDecimal('46.7') };
const progress = () =>
  shard.rows('select wrong_tries, verified_at is null, sent_at is null, unsent_at is null from proof_progress');

describe('a delivery without anything to prove', () => {
  test('writes no row of proofs, and its event has none', async () => {
    const id = await atTheDoor();
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({
      ok: true,
      value: { shipment: { state: 'DELIVERED' } },
    });
    expect([await records(), await progress()]).toEqual([[], []]);
    expect(await eventData(id, 'shipment.delivered')).not.toHaveProperty('proof');
  });

  test('records what it brings all the same', async () => {
    const id = await atTheDoor();
    await act(id, { action: 'DELIVER', proof: { signedBy: 'Huda' } });
    expect(await records()).toMatchObject([{ evidence: 'NONE', record: { signedBy: 'Huda', required: [] } }]);
  });
});

describe('a PIN', () => {
  test('that is required and absent is missing, and nothing changes', async () => {
    const id = await atTheDoor('PROOF_PIN');
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({
      ok: false,
      code: 'PROOF_REQUIRED',
      members: { missing: ['PIN'] },
    });
    expect(await stateOf(id)).toBe('OUT_FOR_DELIVERY');
  });

  test('is required of a delivery that the departure overtakes', async () => {
    const id = await pickedUp(['PROOF_PIN']);
    let departed: ReturnType<typeof act> | undefined;
    const delivered = await act(id, { action: 'DELIVER' }, () => (departed ??= act(id, { action: 'DEPART' })));
    expect(await departed).toMatchObject({ ok: true });
    expect(delivered).toMatchObject({ code: 'PROOF_REQUIRED', members: { missing: ['PIN'] } });
    expect(await stateOf(id)).toBe('OUT_FOR_DELIVERY');
  });

  test('is sent at the departure, and delivers', async () => {
    const id = await atTheDoor('PROOF_PIN');
    const pin = await pinOfShipment(id);
    expect(sent).toMatchObject([{ channel: 'SMS', recipient: '+966500000009', purpose: 'DELIVERY_PIN', code: pin }]);
    expect(await act(id, { action: 'DELIVER', proof: { pin }, position: HERE })).toMatchObject({ ok: true });
    const [proof] = await records();
    expect(proof).toMatchObject({
      evidence: 'COMPLETE',
      record: {
        shipmentId: id,
        kind: 'DELIVERY',
        required: ['PIN'],
        pinMessage: 'SENT',
        place: { latitude: '24.7501', longitude: '46.7', metersFromDestination: 11 },
        arrivedAt: null,
      },
    });
    expect(proof?.record.pin?.verifiedAt).toMatch(/Z$/);
    expect(proof?.sha256).toBe(await sha256Hex(new TextEncoder().encode(proof?.text)));
    expect(await eventData(id, 'shipment.delivered')).toMatchObject({
      proof: { evidence: 'COMPLETE', sha256: proof?.sha256 },
    });
    expect(proof?.text).not.toContain(pin);
  });

  test('that is wrong is counted, and the sixth is not tried', async () => {
    const id = await atTheDoor('PROOF_PIN');
    const pin = await pinOfShipment(id);
    for (const attemptsRemaining of [4, 3, 2, 1, 0, 0])
      expect(await act(id, { action: 'DELIVER', proof: { pin: wrong(pin) } })).toMatchObject({
        code: 'PROOF_PIN_INVALID',
        members: { attemptsRemaining },
      });
    expect(await act(id, { action: 'DELIVER', proof: { pin } })).toMatchObject({ code: 'PROOF_PIN_INVALID' });
    expect(await progress()).toEqual([[5, 1, 0, 1]]);
    expect(await stateOf(id)).toBe('OUT_FOR_DELIVERY');
  });

  test('that is wrong 50 times at once is counted five times', async () => {
    const id = await atTheDoor('PROOF_PIN');
    const pin = await pinOfShipment(id);
    const tries = Array.from({ length: 50 }, () => act(id, { action: 'DELIVER', proof: { pin: wrong(pin) } }));
    expect(new Set((await Promise.all(tries)).map((done) => !done.ok && done.code))).toEqual(
      new Set(['PROOF_PIN_INVALID']),
    );
    expect(await progress()).toEqual([[5, 1, 0, 1]]);
  });

  test('is not in the stored fingerprint of its action, where it could be guessed', async () => {
    const id = await atTheDoor('PROOF_PIN');
    const [pin, actionId] = [await pinOfShipment(id), newId()];
    const delivery = { action: 'DELIVER', actionId, proof: { pin, signedBy: 'Huda' } } as const;
    expect(await act(id, delivery)).toMatchObject({ ok: true, value: { isReplayed: false } });
    const guess = { ...delivery, proof: { ...delivery.proof, pin: wrong(pin) } };
    // Both have the same fingerprint, so a copy of the database does not tell them apart.
    expect(await act(id, guess)).toMatchObject({ ok: true, value: { isReplayed: true } });
    const other = { ...delivery, proof: { pin, signedBy: 'Noura' } };
    expect(await act(id, other)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('repeated after a lost answer gets the same answer, and a wrong one does not', async () => {
    const id = await atTheDoor('PROOF_PIN');
    const pin = await pinOfShipment(id);
    const first = await act(id, { action: 'DELIVER', proof: { pin } });
    expect(await act(id, { action: 'DELIVER', proof: { pin } })).toEqual(first);
    expect(await act(id, { action: 'DELIVER', proof: { pin: wrong(pin) } })).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await records()).toHaveLength(1);
  });

  test('ends with the destination that it was made for, and so do its wrong tries', async () => {
    const id = await atTheDoor('PROOF_PIN');
    const pin = await pinOfShipment(id);
    for (let tries = 1; tries <= 5; tries += 1) await act(id, { action: 'DELIVER', proof: { pin: wrong(pin) } });
    shard.run('shard-1', 'update shipment_terms set amendment_free_meters = 100');
    expect(await amend(shard, process, id, movedPin('24.7503'))).toMatchObject({ ok: true });
    const next = await pinOfShipment(id);
    expect(next).not.toBe(pin);
    // Nobody was told of the new one yet, and two minutes later nobody will be.
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({ members: { missing: ['PIN'] } });
    shard.clock.advance(120);
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({ members: { missing: ['PHOTO', 'SIGNATURE'] } });
    expect(await act(id, { action: 'DELIVER', proof: { pin: next } })).toMatchObject({ ok: true });
  });

  test('whose message is still being sent is required, also after a wrong try, for two minutes', async () => {
    const id = await pickedUp(['PROOF_PIN']);
    await give(shard, process, id, { name: 'DEPART', driverId });
    const missing = async () => act(id, { action: 'DELIVER' });
    expect(await missing()).toMatchObject({ members: { missing: ['PIN'] } });
    await act(id, { action: 'DELIVER', proof: { pin: wrong(await pinOfShipment(id)) } });
    shard.clock.advance(119);
    expect(await missing()).toMatchObject({ members: { missing: ['PIN'] } });
    shard.clock.advance(1);
    expect(await missing()).toMatchObject({ members: { missing: ['PHOTO', 'SIGNATURE'] } });
    expect(await act(id, { action: 'DELIVER', proof: { pin: await pinOfShipment(id) } })).toMatchObject({ ok: true });
    expect(await records()).toMatchObject([{ record: { pinMessage: 'FAILED' } }]);
  });

  test('that could not be sent is replaced by a photo and a signature', async () => {
    isCarrierUp = false;
    const id = await atTheDoor('PROOF_PIN');
    expect(await progress()).toEqual([[0, 1, 1, 0]]);
    expect(await act(id, { action: 'DELIVER' })).toMatchObject({ members: { missing: ['PHOTO', 'SIGNATURE'] } });
  });
});

test('a PIN that could not be sent again is sent with the same key later, and counts once', async () => {
  const id = await atTheDoor('PROOF_PIN');
  const claim = { operation: 'proofs.resendPin', key: 'resend of order 17', fingerprint: 'same' };
  const dependencies = { ...process, messages };
  const resend = () =>
    resendPin(dependencies, shard.scope, {
      shipmentId: id,
      claim,
      bind: (unit, body) =>
        bindAnswer(process, shard.scope, claim, { unit, answer: { status: 202, body, headers: {} } }),
    });
  isCarrierUp = false;
  expect(await resend()).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE' });
  isCarrierUp = true;
  expect(await resend()).toEqual({ ok: true, value: { resendsRemaining: 2 } });
  expect(await shard.rows('select resends from proof_progress')).toEqual([[1]]);
});

describe('a failure at the door', () => {
  const fail = { action: 'FAIL', reasonCode: 'RECIPIENT_UNREACHABLE' } as const;

  test('of a company that asks for nothing is taken, and the record says that there is no evidence', async () => {
    const id = await atTheDoor();
    expect(await act(id, fail)).toMatchObject({ ok: true });
    const [proof] = await records();
    expect(proof).toMatchObject({ evidence: 'NONE', record: { kind: 'ATTEMPT', reasonCode: 'RECIPIENT_UNREACHABLE' } });
    expect(await eventData(id, 'shipment.delivery_failed')).toMatchObject({
      reason: { code: 'RECIPIENT_UNREACHABLE' },
      proof: { evidence: 'NONE', sha256: proof?.sha256 },
    });
  });

  test('needs an arrival near the destination, where evidence is asked for', async () => {
    const id = await atTheDoor('PROOF_PHOTO');
    expect(await act(id, fail)).toMatchObject({ code: 'PROOF_REQUIRED', members: { missing: ['ARRIVAL'] } });
    await act(id, { action: 'ARRIVE', position: HERE });
    shard.clock.advance(90);
    expect(await act(id, fail)).toMatchObject({ ok: true });
    expect(await records()).toMatchObject([
      { evidence: 'COMPLETE', record: { waitedSeconds: 90, place: { metersFromDestination: 11 } } },
    ]);
  });

  const setWait = (waitSeconds: number) =>
    shard.run(
      'shard-1',
      "insert into company_settings (company_id, approval_policy, proof_terms) values (?, 'AUTOMATIC', ?) on conflict do update set proof_terms = excluded.proof_terms",
      [shard.scope.companyId, JSON.stringify({ proofPolicy: 'NONE', attemptPolicy: 'EVIDENCE', waitSeconds })],
    );

  test('needs the wait of the company', async () => {
    setWait(300);
    const id = await atTheDoor();
    await act(id, { action: 'ARRIVE', position: HERE });
    shard.clock.advance(299);
    expect(await act(id, fail)).toMatchObject({
      code: 'PROOF_REQUIRED',
      members: { missing: ['WAIT'] },
      retryAfterSeconds: 1,
    });
    shard.clock.advance(1);
    expect(await act(id, fail)).toMatchObject({ ok: true });
  });

  test('counts the wait from tap to tap, if both came late', async () => {
    setWait(300);
    const id = await atTheDoor();
    shard.clock.advance(3600);
    const tapped = (minutesAgo: number) => addSeconds(shard.clock.now(), -60 * minutesAgo);
    const [came, left] = [tapped(50), tapped(45)];
    await act(id, { action: 'ARRIVE', position: HERE, takenAt: came });
    expect(await act(id, { ...fail, takenAt: addSeconds(left, -1) })).toMatchObject({
      code: 'PROOF_REQUIRED',
      members: { missing: ['WAIT'] },
    });
    expect(await act(id, { ...fail, takenAt: left })).toMatchObject({ ok: true });
    const [proof] = await records();
    expect(proof).toMatchObject({
      evidence: 'COMPLETE',
      record: { waitedSeconds: 300, takenAt: formatInstant(left), arrivalTakenAt: formatInstant(came) },
    });
    expect(proof?.record.recordedAt).not.toBe(proof?.record.takenAt);
  });

  test('whose tap cannot be believed counts from commit to commit', async () => {
    const id = await atTheDoor();
    shard.clock.advance(3600);
    await act(id, { action: 'ARRIVE', position: HERE, takenAt: addSeconds(shard.clock.now(), -3600) });
    shard.clock.advance(5);
    await act(id, { ...fail, takenAt: addSeconds(shard.clock.now(), -3 * 3600) });
    expect(await records()).toMatchObject([{ record: { waitedSeconds: 5, takenAt: null } }]);
  });

  test('says when the driver called, unless that cannot be believed', async () => {
    const ago = (seconds: number) => addSeconds(shard.clock.now(), -seconds);
    const called = ago(120);
    const dated = { ...fail, actionId: newId(), proof: { calledAt: called } };
    const id = await atTheDoor();
    await act(id, dated);
    expect(await act(id, { ...dated, proof: { calledAt: ago(60) } })).toMatchObject({ value: { isReplayed: true } });
    await act(await atTheDoor(), { ...fail, proof: { calledAt: ago(3 * 3600) } });
    await act(await atTheDoor(), { ...fail, proof: { calledAt: ago(-3600) } });
    expect((await records()).map(({ record }) => record.calledAt)).toEqual([formatInstant(called), null, null]);
  });

  test('for the carrier’s own fault has no record', async () => {
    const id = await atTheDoor('PROOF_PIN');
    expect(await act(id, { action: 'FAIL', reasonCode: 'DAMAGED' })).toMatchObject({ ok: true });
    expect(await records()).toEqual([]);
  });
});

test.each([
  [{ action: 'ARRIVE', proof: {} }, 'proof'],
  [{ action: 'FAIL', reasonCode: 'OTHER', proof: { pin: '0000' } }, 'proof.pin'],
] as const)('a proof that does not belong to %j is forbidden', async (order, field) => {
  const id = await atTheDoor();
  expect(await act(id, order)).toMatchObject({ violations: [{ field, code: 'FORBIDDEN_FIELD' }] });
});

test('a delivery says nothing of a call', async () => {
  const id = await atTheDoor();
  expect(await act(id, { action: 'DELIVER', proof: { calledAt: shard.clock.now() } })).toMatchObject({
    violations: [{ field: 'proof.calledAt', code: 'FORBIDDEN_FIELD' }],
  });
});

test('a picture of nobody is refused', async () => {
  const id = await atTheDoor();
  expect(await act(id, { action: 'DELIVER', proof: { mediaAssetIds: [newId()] } })).toMatchObject({
    violations: [{ field: 'proof.mediaAssetIds[0]', code: 'NOT_IN_ENUM' }],
  });
});

import { SHARDS, type SimulatedCompany, serverOf } from '../../shared/memory/genesis.ts';
import { halalasOf } from './check/charge-check.ts';
import { companyTime } from './check/clock-check.ts';
import { addTo } from './check/ledger.ts';
import type { World } from './world.ts';

/* Faults of processes and machines, and what people change outside of the simulated requests. The service must keep every rule through all of them. */

const CALAMITIES = { crash: 5, standstill: 4, forgetfulServer: 2, move: 6, leap: 1, toWindow: 2, limit: 2 } as const;
/** Mean time between two faults. */
const EVERY_MS = 2500;
/** How long a process is stopped: shorter and longer than leases and offers. */
const STANDSTILL_MS = { min: 1000, max: 90_000 };
/** How long it continues beside its successor. */
const AFTERLIFE_MS = 30_000;
/** Longer than idempotency keys are kept. */
const LEAP_MS = 7.2 * 24 * 3600_000;
const LEAPS_MAX = 3;
const CARRIED: readonly (string | undefined)[] = ['PICKED_UP', 'OUT_FOR_DELIVERY'];

export function scheduleFaults(world: World): void {
  const { dice, later, isCalm } = world.context;
  let leaps = 0;
  let visits = 0;
  for (const company of world.context.genesis.companies) setLimit(world, company);
  const again = (): void => {
    if (isCalm()) return;
    const kind = dice.pick(CALAMITIES);
    world.ledger.see(kind);
    if (kind === 'crash') crash(world);
    else if (kind === 'standstill') standStill(world);
    else if (kind === 'forgetfulServer') restartServer(world);
    else if (kind === 'move') moveStore(world);
    else if (kind === 'limit') setLimit(world);
    else if (kind === 'toWindow') {
      visits += 1;
      if (visits <= LEAPS_MAX) leapToWindow(world);
    } else if (leaps < LEAPS_MAX && dice.roll() < 0.2) {
      leaps += 1;
      world.leapMs += LEAP_MS;
    }
    later('calamity', dice.between(0, 2 * EVERY_MS), again);
  };
  later('calamity', dice.between(0, 2 * EVERY_MS), again);
}

/** Its memory and its pending answers are lost. Requests that it had sent still arrive. */
function crash(world: World): void {
  const slot = Math.floor(world.dice.roll() * world.processes.length);
  const process = world.processes[slot];
  if (process !== undefined) process.isDead = true;
  world.startProcess(slot);
}

/** The process is stopped, another replaces it, and it resumes as if no time had passed. */
function standStill(world: World): void {
  const slot = Math.floor(world.dice.roll() * world.processes.length);
  const process = world.processes[slot];
  if (process === undefined) return;
  const ms = world.dice.between(STANDSTILL_MS.min, STANDSTILL_MS.max);
  process.standsStillUntilMs = world.schedule.nowMs + ms;
  world.context.later('end', ms + AFTERLIFE_MS, () => {
    process.isDead = true;
  });
  world.startProcess(slot);
}

function restartServer(world: World): void {
  const server = world.servers.get(SHARDS[Math.floor(world.dice.roll() * SHARDS.length)] ?? SHARDS[0]);
  if (server !== undefined) server.isDurable = false;
}

/** Moves the clock to a delivery window of a parcel that a driver has. Without such a parcel it tries again later, also in the calm at the end. */
function leapToWindow(world: World, tries = 400): void {
  const { ledger, dice, context } = world;
  const early = [...ledger.windows].flatMap(([id, { status, start }]) => {
    const { companyId = '' } = ledger.shipment(id) ?? {};
    const micros = start - companyTime(ledger, companyId, context.wallMs() * 1000);
    return status === 'AGREED' && CARRIED.includes(ledger.stateOf(id)) && micros > 0 ? [micros] : [];
  });
  if (early.length === 0) {
    if (tries > 0) context.later('to window', 250, () => leapToWindow(world, tries - 1));
    return;
  }
  world.leapMs += Math.floor(Math.min(...early) / 1000 + dice.between(-60_000, 600_000));
}

/** An owner sets what the recipients of a company may spend. Half of the companies let them spend nothing. */
function setLimit({ dice, context, servers, ledger }: World, of?: SimulatedCompany): void {
  const { companies } = context.genesis;
  const company = of ?? companies[Math.floor(dice.roll() * companies.length)];
  if (company === undefined) return;
  const limit = dice.pick({ '0': 4, '2.5': 2, '1000': 1 });
  const set = `insert into company_settings (company_id, approval_policy, recipient_amendment_limit) values (?, 'AUTOMATIC', ?)
    on conflict do update set recipient_amendment_limit = excluded.recipient_amendment_limit`;
  serverOf(servers, company.shard).run(set, [company.companyId, limit]);
  const from = { fromMs: context.schedule.nowMs, halalas: halalasOf(Number(limit)) };
  addTo(ledger.spending, company.companyId, from);
}

/** Moves a pickup location that every process has cached. */
function moveStore({ dice, context, servers, ledger }: World): void {
  const { companies } = context.genesis;
  const company = companies[Math.floor(dice.roll() * companies.length)];
  if (company === undefined) return;
  const { companyId, pickupLocationCode, shard } = company;
  const latitude = `24.${1001 + 2 * Math.floor(dice.roll() * 4000)}`;
  const move = `update pickup_locations set latitude = ?, version = version + 1 where company_id = ? and pickup_location_code = ?`;
  serverOf(servers, shard).run(move, [latitude, companyId, pickupLocationCode]);
  ledger.latitudes.set(`${companyId} ${pickupLocationCode}`, latitude);
}

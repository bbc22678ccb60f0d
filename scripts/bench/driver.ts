import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../shared/ports.ts';
import { type Ending, RawConnection } from './http-connection.ts';
import { type Load, type Measured, readLoad } from './load.ts';
import { requestsInTurn, type Turn } from './requests-in-turn.ts';
import { percentile } from './statistics.ts';
import { watchUsage } from './watch-usage.ts';

/** The load driver: keeps each connection busy with one request after the other, and tells what came of them. */
async function run(load: Load): Promise<Measured> {
  const tally = newTally();
  const requests = requestsInTurn(load.requests);
  const connections = Array.from({ length: load.connections }, () => new RawConnection(LOOPBACK, load.port));
  const watch = setInterval(() => {
    for (const connection of connections) connection.checkDeadline();
  }, WATCH_MS);
  const workers = connections.map((connection) => keepBusy(connection, requests, tally));

  await delay(load.warmUpSeconds * 1000);
  tally.from = performance.now();
  tally.to = tally.from + load.seconds * 1000;
  const usage = watchUsage(load.processes);
  await delay(load.seconds * 1000);
  const used = usage.stop();
  tally.isOver = true;

  // What is still under way ends by its answer or by its deadline: nobody is left working for the next measurement.
  await Promise.all(workers);
  clearInterval(watch);
  for (const connection of connections) connection.close();
  return { ...sumUp(tally, load.seconds), ...used };
}

const WATCH_MS = 250;
/** Longer than any answer should take, even of a grouped commit behind others. */
const SLOW_MS = 2000;

interface Tally {
  isOver: boolean;
  from: number;
  to: number;
  readonly latenciesMs: number[];
  readonly errors: Map<string, number>;
  readonly successesBySecond: number[];
  succeededInAll: number;
  errorsInAll: number;
  slowRequests: number;
}

function newTally(): Tally {
  const counts = { succeededInAll: 0, errorsInAll: 0, slowRequests: 0 };
  const lists = { latenciesMs: [], errors: new Map<string, number>(), successesBySecond: [] };
  return { isOver: false, from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY, ...counts, ...lists };
}

async function keepBusy(connection: RawConnection, next: () => Turn, tally: Tally): Promise<void> {
  while (!tally.isOver) {
    const { bytes, expectStatus } = next();
    const sentAt = performance.now();
    const ending = await connection.send(bytes);
    note(tally, ending, expectStatus, sentAt);
    // Else a peer that refuses connections would be asked without a pause.
    if (typeof ending !== 'number') await delay(REFUSED_PAUSE_MS);
  }
}

const REFUSED_PAUSE_MS = 50;

function note(tally: Tally, ending: Ending, expectStatus: number, sentAt: number): void {
  const endedAt = performance.now();
  const isSuccess = ending === expectStatus;
  if (isSuccess) tally.succeededInAll += 1;
  else tally.errorsInAll += 1;
  if (sentAt < tally.to && endedAt >= tally.from && endedAt - sentAt > SLOW_MS) tally.slowRequests += 1;
  if (endedAt < tally.from || endedAt >= tally.to) return;
  if (!isSuccess) {
    tally.errors.set(String(ending), (tally.errors.get(String(ending)) ?? 0) + 1);
    return;
  }
  tally.latenciesMs.push(endedAt - sentAt);
  const second = Math.floor((endedAt - tally.from) / 1000);
  tally.successesBySecond[second] = (tally.successesBySecond[second] ?? 0) + 1;
}

function sumUp(tally: Tally, seconds: number) {
  const sorted = Float64Array.from(tally.latenciesMs).sort();
  const silent = Array.from({ length: Math.floor(seconds) }, (_, second) => tally.successesBySecond[second] ?? 0);
  return {
    succeeded: sorted.length,
    succeededInAll: tally.succeededInAll,
    errors: Object.fromEntries(tally.errors),
    errorsInAll: tally.errorsInAll,
    seconds,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
    longestMs: sorted.at(-1) ?? 0,
    silentSeconds: silent.filter((successes) => successes === 0).length,
    slowRequests: tally.slowRequests,
  };
}

process.stdout.write(JSON.stringify(await run(readLoad(await text(process.stdin)))));

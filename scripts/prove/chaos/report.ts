import { RULES } from '../rules/promises.ts';
import type { Recovery, Round } from './check/evidence.ts';
import { memberOf, type RecordedCall } from './load/history.ts';

import type { WebhookRound } from './webhooks/round.ts';

/* Reports for people. */

interface Setting {
  readonly seed: number;
  readonly runtime: string;
}

export function describeRound({ number, faults, evidence, objections }: Round): string {
  const { calls, rows, recoveries } = evidence;
  const planned = faults.map(({ kind, target, atMs, lastsMs }) => `${kind} ${target} at ${atMs} for ${lastsMs}`);
  const again = recoveries.map(({ fault, ms }) => `${fault} ${Math.round(ms)} ms`);
  const end = objections.length === 0 ? 'held' : `${objections.length} OBJECTIONS`;
  const counts = `${calls.length} calls, ${count(calls, 'unknown')} unknown, ${rows.shipments.length} shipments, ${rows.steps.length} steps`;
  return `round ${number}: ${planned.join('; ')} | ${counts} | works again: ${again.join(', ') || '-'} | ${end}`;
}

/** What is needed to understand a failure and to repeat it. */
export function describeFailure(round: Round, { seed, runtime }: Setting): string {
  const shown = round.objections.slice(0, OBJECTIONS_MAX);
  const lines = shown.map(({ rule, detail }) => `BROKEN ${rule} (${RULES[rule].promise}): ${detail}`);
  const shipmentIds = new Set(shown.flatMap(({ shipmentId }) => shipmentId ?? []));
  const histories = [...shipmentIds].slice(0, HISTORIES_MAX).map((id) => historyOf(round, id));
  const again = commandOf({ seed, runtime }, round.number);
  return [
    `seed ${seed}, round ${round.number} on ${runtime}: ${round.objections.length} objections`,
    ...lines,
    ...histories,
    `The same faults and the same clients again: ${again}`,
  ].join('\n');
}

/** A round that could not be judged. */
export function describeBreakOff(
  { seed, number }: { readonly seed: number; readonly number: number },
  { runtime, said }: { readonly runtime: string; readonly said: readonly string[] },
): string {
  const last = said.filter((line) => !line.includes('"level":"info"')).slice(-SAID_MAX);
  return [
    `seed ${seed}, round ${number} on ${runtime} broke off; again: ${commandOf({ seed, runtime }, number)}`,
    'The last log lines of the service, without successful requests:',
    ...last.map((line) => `  ${line}`),
  ].join('\n');
}

function commandOf({ seed, runtime }: Setting, number: number): string {
  return `npm run chaos -- --seed ${seed} --first ${number} --rounds 1 --runtime ${runtime}`;
}

const SAID_MAX = 30;
const OBJECTIONS_MAX = 12;
const HISTORIES_MAX = 3;
const TEXT_MAX = 160;

/** Every request about the shipment, and its rows. */
function historyOf({ evidence }: Round, shipmentId: string): string {
  const begin = Math.min(...evidence.calls.map(({ askedAt }) => askedAt));
  const at = (ms: number) => (ms - begin).toFixed(1).padStart(8);
  const calls = evidence.calls
    .filter((call) => call.shipmentId === shipmentId || memberOf(call.answer, 'shipmentId') === shipmentId)
    .map(
      (call) =>
        `  ${at(call.askedAt)} to ${at(call.endedAt)} #${call.index} client ${call.client} ${call.operation} ${[call.key, call.ifMatch].filter(Boolean).join(' ')} -> ${call.outcome} ${call.status ?? 'no answer'} v${memberOf(call.answer, 'version') ?? '-'} ${memberOf(call.answer, 'state') ?? call.text.slice(0, TEXT_MAX)} [${call.correlationId}]`,
    );
  const steps = evidence.rows.steps
    .filter((step) => step.shipment_id === shipmentId)
    .map((step) => `  step ${step.sequence} ${step.type} to ${step.state} by ${step.actor} [${step.correlation_id}]`);
  const row = evidence.rows.shipments.find(({ id }) => id === shipmentId);
  return [`history of ${shipmentId} (ms of the round):`, ...calls, ...steps, `  row ${JSON.stringify(row)}`].join('\n');
}

export function describeRun(rounds: readonly Round[], { seed, runtime }: Setting): string {
  const calls = rounds.flatMap(({ evidence }) => evidence.calls);
  const faults = rounds.flatMap((round) => round.faults.map(({ kind, target }) => `${kind} ${target}`));
  const recoveries = rounds.flatMap(({ evidence }) => evidence.recoveries);
  const ends = (['ok', 'refused', 'unknown'] as const).map((outcome) => `${count(calls, outcome)} ${outcome}`);
  const batches = rounds.flatMap(({ evidence }) => evidence.rows.batches);
  const items = rounds.flatMap(({ evidence }) => evidence.rows.items);
  const kills = rounds.reduce((sum, { batchKills }) => sum + batchKills, 0);
  return [
    `seed ${seed} on ${runtime}: ${rounds.length} rounds, ${faults.length} faults, ${calls.length} calls (${ends.join(', ')})`,
    `  faults: ${tally(faults)}`,
    `  answered well: ${tally(calls.filter(({ outcome }) => outcome === 'ok').map(({ operation }) => operation))}`,
    `  batches: ${batches.length}, ${kills} kills in the middle of one; items: ${tally(items.map(({ state }) => state))}`,
    `  changes: ${tally(rounds.flatMap(({ evidence }) => evidence.rows.events.map(({ type }) => type)))}`,
    ...[...Map.groupBy(recoveries, ({ fault }) => fault)].map(
      ([fault, all]) => `  works again after ${fault}: ${spread(all)}`,
    ),
    `  works again after any of them: ${spread(recoveries)}`,
  ].join('\n');
}

function count(calls: readonly RecordedCall[], outcome: RecordedCall['outcome']): number {
  return calls.filter((call) => call.outcome === outcome).length;
}

function tally(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} ${name}`).join(', ');
}

function spread(recoveries: readonly Recovery[]): string {
  if (recoveries.length === 0) return 'never measured alone';
  const sorted = recoveries.map(({ ms }) => Math.round(ms)).toSorted((one, other) => one - other);
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms, max ${sorted.at(-1)} ms of ${sorted.length}`;
}

export function describeWebhooks({ evidence, moods, objections }: WebhookRound): string {
  const { events, deliveries, refused, arrivals, gone } = evidence;
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
  const taken = arrivals.filter(({ isTaken }) => isTaken).map(({ event }) => event.id);
  const twice = taken.length - new Set(taken).size;
  const reactions = [...moods].map(([mood, times]) => `${mood} ${times}`).join(', ');
  return [
    `webhooks: ${events.length} events, ${attempts} attempts, ${twice} events taken more than once`,
    `  receiver: ${reactions}; ${refused.length} deliveries given up; 410 answered ${gone.answers} times`,
    ...objections.map(({ rule, detail }) => `BROKEN ${rule} (${RULES[rule].promise}): ${detail}`),
  ].join('\n');
}

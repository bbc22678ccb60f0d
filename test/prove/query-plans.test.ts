import { afterAll, expect, test } from 'vitest';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { send } from '../support/exercises/callers.ts';
import { sampleOf } from '../support/exercises/exercise.ts';
import { newScene } from '../support/exercises/scene.ts';
import { listenToStatements, planOf, type SentStatement } from '../support/statements.ts';

/** Every statement of every operation uses an index: none scans a whole table. */

const environment = await startEnvironment('deno');
const statements = await listenToStatements(environment);
afterAll(async () => {
  await environment.stop();
  statements.close();
});

const NOT_PLANNED = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA)\b/i;
/** Scans of rows that the statement brings along or has already found. */
const OWN_ROWS = /^SCAN (?:(?:\d+ )?CONSTANT ROWS?|\(subquery-\d+\)|\w+ VIRTUAL TABLE .*)$/;

/** Full scans that are allowed, by the text of the statement, and why. */
const MAY_BE_SCANNED: readonly (readonly [table: string, sql: RegExp, reason: string])[] = [
  ['service_levels', /from "service_levels"/, 'a shard has a handful, read once a minute'],
  ['drivers', /from "drivers" where "drivers"."status" = \? limit/, 'reads the first that is active'],
  ['drivers', /"ready_since" <= \?/, 'the drivers of a shard, every ten seconds while a shipment waits'],
  ['database_identity', /FROM database_identity/, 'one row, whose table permits no second'],
  ['key_fingerprints', /from "key_fingerprints"$/, 'one row for each list of keys'],
  ['firsts', /with recursive firsts\(position\)/, 'the groups that the walk has found: one seek for each'],
  ['present', /with recursive present\(type\)/, 'the event types that the walk has found: one seek for each'],
  ['__drizzle_migrations', /limit/, 'reads the last of a few dozen'],
  ['tariffs', /from "tariffs" order by/, 'the whole book, read once a minute'],
  ['company_moves', /"forward_to" is not null$/, 'the whole book, every three seconds; companies that moved are few'],
  ['open', /with recursive open\(endpoint_id\)/, 'the sweep looks at each endpoint with open deliveries'],
  ['webhook_endpoints', /"state" = 'DELETED'/, 'a partial index of deleted endpoints'],
  ['sandboxes', /clock_offset" <> 0 or/, 'a partial index of clocks that were moved'],
  ['registrations', /"provisioned_at" is null/, 'a partial index of registrations that are not finished'],
  ['shipments', /from "shipments" where .*\) "members"$/, 'partial indexes of operators’ queues'],
  ['resolutions', /where state = 'OPEN'/, 'a partial index of parcels that nobody has decided on'],
  ['cases', /cases.state in \('OPEN', 'DISPUTED'\)/, 'a partial index of complaints that are owed an answer'],
  ['owed', /as "owed", coalesce/, 'counts what the queue of complaints found, up to a limit'],
  ['chain', /with recursive chain\(id, place\)/, 'the follow-ups of one parcel: one seek for each'],
  ['members', /\) "members"$/, 'counts what an operators’ queue found, up to a limit'],
  ['late_reports', /\) "members"$/, 'reports after a take-over are few, counted for operators’ queues'],
  ['d', /\) "members"$/, 'the drivers of a shard, counted for operators’ queues'],
  [
    'owners',
    /with recursive owners\(id\)/,
    'the sweep looks at each company with events and each endpoint with deliveries',
  ],
];

const scene = await newScene(environment);
for (const operation of OPERATIONS) {
  test(`${operation.name} succeeds`, async () => {
    expect((await send(scene, operation, await sampleOf(operation, scene))).status).toBeLessThan(300);
  });
}

test.each(['directory', 'shard-1'] as const)('no statement reads a whole table of the %s', async (database) => {
  const sent = statements.of(database).filter(({ sql }) => !NOT_PLANNED.test(sql));
  expect(sent.length).toBeGreaterThan(10);
  const scans: string[] = [];
  // One after the other, because a server refuses more than 128 connections.
  for (const one of sent) scans.push(...(await scansOf(environment.databaseUrls[database], one)));
  expect(scans).toEqual([]);
});

test('a full table scan is noticed', async () => {
  const whole = { sql: 'select id from shipments where recipient_name = ?', args: [{ type: 'text', value: 'Sara' }] };
  expect(await scansOf(environment.databaseUrls['shard-1'], whole as SentStatement)).toHaveLength(1);
});

async function scansOf(url: string, statement: SentStatement): Promise<string[]> {
  const { sql } = statement;
  return (await planOf(url, statement))
    .filter((line) => line.startsWith('SCAN') && !OWN_ROWS.test(line))
    .filter((line) => {
      const [, table = ''] = line.split(' ');
      if (sql.includes(`) as ${table}`)) return false;
      return !MAY_BE_SCANNED.some(([name, pattern]) => name === table && pattern.test(sql));
    })
    .map((line) => `${line}: ${sql}`);
}

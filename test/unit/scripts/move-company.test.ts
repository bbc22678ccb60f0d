import { afterAll, expect, test } from 'vitest';
import type { BatchStep } from '../../../db/hrana.ts';
import { abandonMove, moveCompany } from '../../../scripts/operate/moving/move.ts';
import type { DatabaseOfService } from '../../../scripts/shared/database-addresses.ts';
import { Dice } from '../../../scripts/shared/dice.ts';
import { DatabaseServer } from '../../../scripts/shared/memory/database-server.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';

/* What the command does to the databases without a running service: SQLite in memory. */

type DatabaseId = 'directory' | ShardId;
type ShardId = 'shard-1' | 'shard-2' | 'shard-3';
const IDS: readonly DatabaseId[] = ['directory', 'shard-1', 'shard-2', 'shard-3'];
const kindOf = (id: DatabaseId) => (id === 'directory' ? 'directory' : 'shard');
const serverOf = (id: DatabaseId) =>
  new DatabaseServer({ kind: kindOf(id), id, dice: new Dice(1), onCommit: () => undefined });
const servers = new Map<string, DatabaseServer>(IDS.map((id) => [id, serverOf(id)]));
const databases = IDS.map(
  (id): DatabaseOfService => ({ kind: kindOf(id), id, deployment: 'local', url: `http://${id}` }),
);
afterAll(() => servers.forEach((server) => server.close()));

const SETTLE_MS = 300;

test('abandoning a move back to a former shard restores the forward before the copy is deleted and writes resume', async () => {
  const companyId = addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  await moveUntil('both have the same', companyId, 'shard-1');
  expect(standingOf(companyId, 'shard-1')).toMatchObject({ state: 'FROZEN', forward_to: null });

  const seen: unknown[] = [];
  let pointedAt = Number.NaN;
  const onStep = (step: string) => {
    if (step === 'shard-1 points back') pointedAt = performance.now();
    else expect(performance.now() - pointedAt).toBeGreaterThan(SETTLE_MS - 50);
    const [there, here] = [standingOf(companyId, 'shard-1'), standingOf(companyId, 'shard-2')];
    seen.push([step, there?.['forward_to'], rowsOf(companyId, 'shard-1'), here?.['state']]);
  };
  await abandonMove({ ...optionsOf(companyId, 'shard-1'), settleMs: SETTLE_MS, onStep });
  expect(seen).toEqual([
    ['shard-1 points back', 'shard-2', 3, 'FROZEN'],
    ['takes writes', 'shard-2', 3, 'ARRIVED'],
    ['it stays in shard-2', 'shard-2', 0, 'ARRIVED'],
  ]);
  expect(rowsOf(companyId, 'shard-2')).toBe(3);
});

test.each(['shard-1 points back', 'takes writes'])(
  'abandoning a move that was interrupted after "%s" can be continued',
  async (end) => {
    const companyId = addCompany();
    await moveCompany(optionsOf(companyId, 'shard-2'));
    await moveUntil('both have the same', companyId, 'shard-1');
    await expect(abandonMove({ ...optionsOf(companyId, 'shard-1'), onStep: endAt(end) })).rejects.toThrow('ended here');
    await abandonMove(optionsOf(companyId, 'shard-1'));
    expect(standingOf(companyId, 'shard-2')).toMatchObject({ state: 'ARRIVED', forward_to: null });
    expect(standingOf(companyId, 'shard-1')).toMatchObject({ state: 'FROZEN', forward_to: 'shard-2' });
    expect([rowsOf(companyId, 'shard-1'), rowsOf(companyId, 'shard-2')]).toEqual([0, 3]);
    // The company can be moved again.
    await moveCompany(optionsOf(companyId, 'shard-1'));
    expect([rowsOf(companyId, 'shard-1'), rowsOf(companyId, 'shard-2')]).toEqual([3, 0]);
  },
);

test('a move fails if it is abandoned while it runs', async () => {
  const companyId = addCompany();
  const onStep = async (step: string) => {
    if (step === 'both have the same') await abandonMove(optionsOf(companyId, 'shard-2'));
  };
  await expect(moveCompany({ ...optionsOf(companyId, 'shard-2'), onStep })).rejects.toThrow('another run');
  expect(standingOf(companyId, 'shard-1')).toMatchObject({ state: 'ARRIVED' });
  expect([rowsOf(companyId, 'shard-1'), rowsOf(companyId, 'shard-2')]).toEqual([3, 0]);
});

test('a move that is abandoned while it copies does not remove the forward', async () => {
  const companyId = addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  // This run reaches the new shard only after the move was abandoned, and does not know that.
  const onStep = async (step: string) => {
    if (step === 'frozen') await abandonMove(optionsOf(companyId, 'shard-1'));
  };
  await expect(moveCompany({ ...optionsOf(companyId, 'shard-1'), onStep })).rejects.toThrow('another run');
  expect(standingOf(companyId, 'shard-1')).toMatchObject({ forward_to: 'shard-2' });
});

test.each(['shard-1', 'shard-3'] as const)('abandoning fails without a running move to %s', async (to) => {
  const companyId = addCompany();
  await moveCompany(optionsOf(companyId, 'shard-2'));
  const before = standingOf(companyId, 'shard-2');
  expect(before).toMatchObject({ state: 'ARRIVED', other_shard: 'shard-1' });
  await expect(abandonMove(optionsOf(companyId, to))).rejects.toThrow('No such move is under way.');
  expect(standingOf(companyId, 'shard-2')).toEqual(before);
});

test('in the new shard waiting shipments are searched for at once, and scheduled and held ones stay as they are', async () => {
  const companyId = addCompany();
  const [past, tomorrow] = [1, (Date.now() + 86_400_000) * 1000];
  addReady(companyId, 'waiting', { search_from: past, since: past, due_at: tomorrow });
  addReady(companyId, 'scheduled', { search_from: tomorrow, since: tomorrow, due_at: tomorrow });
  addReady(companyId, 'held', { search_from: null, since: past, due_at: null });
  const begunAt = Date.now() * 1000;
  await moveCompany(optionsOf(companyId, 'shard-2'));
  const select = `select due_at, ready_since, search_since from shipments where company_id = ? and external_reference = ?`;
  const timesOf = (name: string) => servers.get('shard-2')?.rows(select, [companyId, name])[0];
  const renewedAt = Number(timesOf('waiting')?.['due_at']);
  expect(renewedAt).toBeGreaterThanOrEqual(begunAt);
  expect(renewedAt).toBeLessThan(begunAt + 60_000_000);
  expect(timesOf('waiting')).toEqual({ due_at: renewedAt, ready_since: renewedAt, search_since: renewedAt });
  expect(timesOf('scheduled')).toEqual({ due_at: tomorrow, ready_since: tomorrow, search_since: tomorrow });
  expect(timesOf('held')).toMatchObject({ due_at: null });
});

function optionsOf(companyId: string, to: ShardId) {
  const onStep = () => undefined;
  return { databases, companyId, to, requireDurable: true, drainMs: 0, settleMs: 0, onStep, fetch: send };
}

function endAt(last: string) {
  return (step: string) => {
    if (step === last) throw new Error('ended here');
  };
}

async function moveUntil(step: string, companyId: string, to: ShardId): Promise<void> {
  await expect(moveCompany({ ...optionsOf(companyId, to), onStep: endAt(step) })).rejects.toThrow('ended here');
}

/** A company in the first shard, with three rows. */
function addCompany(): string {
  const companyId = newId();
  servers
    .get('directory')
    ?.run("insert into companies (id, name, shard, created_at) values (?, 'Dar', 'shard-1', 1)", [companyId]);
  for (const key of ['one', 'two', 'three']) {
    const insert = "insert into idempotency_records values (?, 'client', 'create', ?, 'f', 201, '{}', '\"1\"', '/', 9)";
    servers.get('shard-1')?.run(insert, [companyId, key]);
  }
  return companyId;
}

interface Times {
  readonly search_from: number | null;
  readonly since: number;
  readonly due_at: number | null;
}

/** A shipment in the first shard that is ready for dispatch. Columns that do not matter here have no meaning. */
function addReady(companyId: string, name: string, { since, ...times }: Times): void {
  const id = newId();
  const shipment = { id, company_id: companyId, external_reference: name, shipment_number: id, ...times };
  addRow('shipments', { ...shipment, state: 'READY_FOR_DISPATCH', ready_since: since, search_since: since });
}

function addRow(table: string, values: Readonly<Record<string, string | number | null>>): void {
  const server = servers.get('shard-1');
  const columns = server?.rows(`select name, "notnull" as required from pragma_table_info('${table}')`) ?? [];
  const names = columns.map(({ name }) => String(name));
  const row = columns.map(({ name, required }) => values[String(name)] ?? (required === 1 ? 0 : null));
  server?.run(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`, row);
}

function rowsOf(companyId: string, shard: ShardId): number | undefined {
  return servers.get(shard)?.rows('select 1 from idempotency_records where company_id = ?', [companyId]).length;
}

function standingOf(companyId: string, shard: ShardId): Record<string, unknown> | undefined {
  return servers.get(shard)?.rows('select * from company_moves where company_id = ?', [companyId])[0];
}

function send(url: string, { body }: RequestInit): Promise<Response> {
  const { requests } = JSON.parse(body as string) as { requests: [{ batch: { steps: BatchStep[] } }] };
  const result = servers.get(new URL(url).hostname)?.batch(requests[0].batch.steps);
  return Promise.resolve(Response.json({ results: [{ type: 'ok', response: { result } }] }));
}

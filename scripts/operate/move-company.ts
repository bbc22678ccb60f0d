import { parseArgs } from 'node:util';
import { failWith, isCommand } from '../shared/command.ts';
import { requireDatabases } from '../shared/database-addresses.ts';
import { SetupError } from '../shared/setup-error.ts';
import { abandonMove, moveCompany } from './moving/move.ts';

const USAGE = `Moves a company to another shard, while the service runs.

  npm run move-company -- --company ID --to SHARD [--drain-minutes 60]
  npm run move-company -- --company ID --to SHARD --abandon      as long as it has not moved

DEPLOYMENT, LIBSQL_DIRECTORY, LIBSQL_SHARDS and LIBSQL_DURABILITY are those of the service. Ended at any moment, it is run again with
the same arguments. docs/operations.md says what merchants see of it.`;

async function runFromCommandLine(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      company: option,
      to: option,
      'drain-minutes': { ...option, default: '60' },
      abandon: { type: 'boolean', default: false },
    },
  });
  const { company: companyId, to, 'drain-minutes': minutes } = values;
  if (companyId === undefined || to === undefined || !/^\d+$/.test(minutes)) throw new SetupError(USAGE);
  const requireDurable = process.env['LIBSQL_DURABILITY'] !== 'managed';
  const onStep = (step: string) => console.log(step);
  const drainMs = Number(minutes) * 60_000;
  const options = { databases: requireDatabases(process.env), companyId, to, requireDurable, drainMs, onStep };
  await (values.abandon ? abandonMove(options) : moveCompany(options));
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);

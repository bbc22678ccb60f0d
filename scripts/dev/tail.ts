import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { MirsalInputs, MirsalOutputs } from '../../src/client.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { openDemo } from './demo-client.ts';

const USAGE = `Prints the requests of a sample company of the local service as they are answered.

  npm run tail -- [--status 4xx] [--operation shipments.create] [--company NAME] [--data .data]

  --status     a status or a class of them (default: all)
  --operation  the procedure that answered (default: all)
  --company    name of a sample company (default: the first)
  --data       data folder of the running service`;

const INTERVAL_MS = 1000;
/** An entry appears about a second after its response, and a slow request later still. */
const LOOKS_BACK_MS = 10_000;

type Filter = Pick<MirsalInputs['requestLog']['list'], 'status' | 'operation'>;
type Entry = MirsalOutputs['requestLog']['list']['data'][number];

async function tail(options: { readonly company: string | undefined; readonly data: string; readonly filter: Filter }) {
  const { client, company } = openDemo(options.data, options.company);
  console.log(`Requests of ${company.name}, about a second after their answers. Press Ctrl-C to stop.\n`);
  const begun = Date.now();
  /** Ids of entries that were printed, with the time after which they are not listed again. */
  const printed = new Map<string, number>();
  for (;;) {
    const from = new Date(Math.max(begun, Date.now() - LOOKS_BACK_MS)).toISOString();
    const found: Entry[] = [];
    let cursor: string | null | undefined;
    do {
      const { data, page } = await client.requestLog.list.query({
        ...options.filter,
        from,
        limit: 100,
        cursor: cursor ?? undefined,
      });
      found.push(...data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    for (const entry of found.toReversed()) {
      if (printed.has(entry.requestId)) continue;
      printed.set(entry.requestId, Date.parse(entry.at));
      console.log(lineOf(entry));
    }
    for (const [id, at] of printed) if (at < Date.parse(from)) printed.delete(id);
    await pause(INTERVAL_MS);
  }
}

function lineOf({ at, method, path, status, code, durationMs, requestId, repeats }: Entry): string {
  const reason = code === null ? '' : `  ${code}`;
  const others = repeats === 0 ? '' : `  and ${repeats} equal`;
  return `${at.slice(11, 23)}  ${status}  ${method} ${path}  ${durationMs} ms${reason}${others}  ${requestId}`;
}

if (isCommand(import.meta.filename)) {
  try {
    const { values } = parseArgs({
      options: {
        status: { type: 'string' },
        operation: { type: 'string' },
        company: { type: 'string' },
        data: { type: 'string', default: '.data' },
        help: { type: 'boolean', default: false },
      },
    });
    const { status, operation, company, data } = values;
    if (values.help) console.log(USAGE);
    else await tail({ company, data, filter: { status, operation } });
  } catch (error) {
    failWith(error);
  }
}

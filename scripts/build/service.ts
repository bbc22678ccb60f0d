import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildService } from '../shared/build-service.ts';
import { replaceFolder } from '../shared/replace-folder.ts';

/* What wrangler runs before each start, upload and reload: see wrangler.toml. */

const ROOT = join(import.meta.dirname, '..', '..');
const error = await buildService('worker');
if (error !== undefined) {
  console.error(error.text);
  // After a failed build `wrangler dev` would leave all requests without an answer. Other commands fail.
  if (process.env['WRANGLER_COMMAND'] !== 'dev') process.exit(1);
  replaceFolder(join(ROOT, 'dist', 'worker'), new Map([['worker.js', Buffer.from(workerThatSays(error.text))]]));
}
// A build of the pages that goes on after an error has nothing to add.
process.exit();

/** A Worker that answers 503 with this text until the next build. Its objects keep their alarms for the service. */
function workerThatSays(text: string): string {
  const wrangler = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const classes = new Set([...wrangler.matchAll(/^class_name = "(\w+)"/gm)].map(([, name]) => name));
  return `
const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '1' };
export default {
  fetch: () => new Response(${JSON.stringify(`${text}\n`)}, { status: 503, headers }),
  scheduled() {},
};
class Paused {
  constructor(state) { this.state = state; }
  alarm() { return this.state.storage.setAlarm(Date.now() + 1000); }
}
${[...classes].map((name) => `export class ${name} extends Paused {}`).join('\n')}
`;
}

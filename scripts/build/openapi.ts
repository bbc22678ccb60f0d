import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { failWith } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { buildDocument } from './openapi/document.ts';

const USAGE = `Makes docs/openapi.json from the procedures.

  node scripts/build/openapi.ts [--check]

  --check   writes nothing; fails when the file is not what the procedures say`;

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');

function run(): void {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const text = `${JSON.stringify(buildDocument(), undefined, 2)}\n`;
  if (!values.check) {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, text);
  } else if (readOrEmpty() !== text) {
    throw new SetupError(
      'docs/openapi.json is not what the procedures say: run `node scripts/build/openapi.ts` and commit it.',
    );
  }
}

function readOrEmpty(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return '';
  }
}

try {
  run();
} catch (error) {
  failWith(error);
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { failWith } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { buildDocument } from './openapi/document.ts';

const USAGE = `Writes docs/openapi.json from the procedures.

  npm run document [-- --check]

  --check   writes nothing and fails when the file does not match the procedures`;

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
    throw new SetupError('docs/openapi.json does not match the procedures. Run npm run document and commit the file.');
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

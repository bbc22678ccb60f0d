import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..', '..');
/** Where scripts/build/worker.ts puts the bundle with its source maps. */
const BUNDLE = join(ROOT, 'dist', 'worker');

/** Why the service cannot be built or started. */
export interface SourceError {
  /** `src/app.ts:12:3`. Undefined if no source of the service is to blame. */
  readonly place: string | undefined;
  /** For people. The first line names the place. */
  readonly text: string;
}

/** What a bundler, Node, Deno or workerd printed before it gave up. */
export function explainOutput(output: string): SourceError {
  const lines = withSourcePlaces(stripVTControlCharacters(output))
    .replaceAll(`${pathToFileURL(ROOT).href}/`, '')
    .replaceAll(`${ROOT}/`, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !OF_TOOLS.test(line));
  const body = lines.join('\n');
  const place = placeIn(body);
  // A frame that shows another line is of generated code.
  const shown = place === undefined || body.includes(place) ? lines : lines.filter((line) => !FRAME.test(line));
  return { place, text: [place ?? 'The service does not start', ...shown].join('\n') };
}

/** A line of the frames in which rolldown shows sources. */
const FRAME = /^\s*\d*\s*[╭│╰─]/;

/** Lines of a stack trace outside of the service, and what the tools add that says nothing about it. */
const OF_TOOLS = new RegExp(
  [
    String.raw`^\s*at .*(?:node_modules|node:internal|node:events|scripts/|process\.processTicks|ext:)`,
    String.raw`^Node\.js v|errors: \[Getter|^\s*[{}]\s*$`,
    // wrangler's tables and steps, and what it says more than once.
    String.raw`^[┌├│└⎔]|^▲ \[WARNING\] A DurableObject|The Workers runtime failed|^\s*Runtime stderr|^\s*\{"timestamp"|create an issue at`,
    // Deno's greeting to debuggers, and its own stack.
    String.raw`^Debugger listening|^Visit chrome:|^Stack backtrace|^\s*\d+: <unknown>`,
  ].join('|'),
);

const PLACES = /(?<![\w./-])((?:src|routers|db|docs)\/[\w./-]+\.\w+):\d+(?::\d+)?/g;
/** An import that cannot be resolved. Node names no line, and vite one of the code that it has made of a page. */
const NOT_FOUND = [
  /Cannot find module '(?<wanted>[^']+)' imported from (?<importer>[\w./-]+)/,
  /Could not resolve '(?<wanted>[^']+)' in (?<importer>[\w./-]+)/,
];

function placeIn(text: string): string | undefined {
  for (const pattern of NOT_FOUND) {
    const { wanted = '', importer = '' } = pattern.exec(text)?.groups ?? {};
    if (importer === '' || !existsSync(join(ROOT, importer))) continue;
    const name = wanted.slice(wanted.lastIndexOf('/') + 1);
    const lines = readFileSync(join(ROOT, importer), 'utf8').split('\n');
    const index = lines.findIndex((line) => line.includes(name));
    if (index >= 0) return `${importer}:${index + 1}`;
  }
  for (const [place, path = ''] of text.matchAll(PLACES)) if (existsSync(join(ROOT, path))) return place;
  return undefined;
}

/** The text with places in the Worker's bundle replaced by those in the sources. */
export function withSourcePlaces(text: string): string {
  return text.replaceAll(/file:\/\/\/bundle\/([\w.-]+\.js):(\d+):(\d+)/g, (place, file: string, line, column) => {
    const source = sourceOf(file, Number(line), Number(column));
    return source ?? place;
  });
}

function sourceOf(file: string, line: number, column: number): string | undefined {
  try {
    const map = new SourceMap(JSON.parse(readFileSync(join(BUNDLE, `${file}.map`), 'utf8')));
    const origin = map.findOrigin(line, column);
    if (!('fileName' in origin)) return undefined;
    const path = origin.fileName.startsWith('file:')
      ? fileURLToPath(origin.fileName)
      : resolve(BUNDLE, origin.fileName);
    return `${relative(ROOT, path)}:${origin.lineNumber}:${origin.columnNumber}`;
  } catch {
    // Another build may just have replaced the bundle.
    return undefined;
  }
}

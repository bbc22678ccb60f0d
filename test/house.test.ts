import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { REAL_TIME } from './real-time.ts';
import { WITHOUT_SCOPE } from './store-exceptions.ts';
import {
  circleFrom,
  code,
  everywhere,
  files,
  foldersInCircles,
  importsOf,
  ROOT,
  sources,
  valueImportsOf,
} from './support/source-files.ts';

/*
 * The rules of docs/architecture.md that a machine can hold to. Each failure names the file and the rule.
 */

/** Who may import whom: a file may import its own layer and those before it. The first match counts. */
const LAYERS: readonly (readonly [name: string, paths: RegExp])[] = [
  ['core', /^src\/core\//],
  ['contract', /^src\/contract\//],
  // Parts of pages, for the server and for browsers.
  ['ui', /^src\/ui\/(?!browser\/)/],
  ['ports', /^src\/ports\//],
  ['db', /^db\//],
  ['access', /^src\/access\//],
  ['domain', /^src\/domain\//],
  ['service', /^src\/service\//],
  ['providers', /^src\/providers\//],
  ['routers', /^routers\//],
  ['http', /^src\/http\//],
  ['app', /^src\/app\.ts$/],
  ['platform', /^src\/platform\//],
  ['entries', /^src\/(?:worker|deno|client)\.ts$|^src\/client\//],
  // Last, so that nothing that is bundled can bring them along.
  ['pages', /^src\/pages\//],
  // These run in a browser. The first is what the pages share.
  ['browser', /^src\/ui\/browser\//],
  ['console', /^src\/console\//],
  ['driver', /^src\/driver\//],
];

/** The lifecycle has no I/O; pages show the commands that it allows. */
const forPages = (own: string) =>
  new RegExp(`^src/(?:${own}client|ui|contract|core)/|^src/domain/shipments/lifecycle\\.ts$`);

/** Files that run outside of the service, and all that their values may come from. Types may come from any layer before. */
const OUTSIDE_THE_SERVICE: readonly (readonly [files: RegExp, sources: RegExp])[] = [
  // A program of its own, on somebody else's machine.
  [/^src\/client(?:\/|\.ts$)/, /^src\/client\/|^src\/core\/problem-code\.ts$/],
  [/^src\/console\//, forPages('console|')],
  [/^src\/(?:ui\/browser|driver)\//, forPages('driver|')],
  // Rendered at build time, from limits, the lifecycle and parts of HTML.
  [/^src\/pages\//, /^src\/(?:pages|http|domain|access|client|ui|contract|core)\//],
];

/** One domain module imports another only along these arrows. */
const DOMAIN_ARROWS: Readonly<Record<string, readonly string[]>> = {
  addresses: ['audit'],
  shipments: [
    'addresses',
    'audit',
    'clocks',
    'places',
    'idempotency',
    'events',
    'pricing',
    'offers',
    'companies',
    'people',
  ],
  dispatch: ['offers', 'shipments', 'drivers'],
  companies: ['addresses', 'audit'],
  batches: ['audit', 'clocks', 'shipments', 'idempotency', 'events'],
  'media-assets': ['audit', 'shipments', 'idempotency'],
  pricing: ['audit', 'places'],
  recipients: ['addresses', 'audit', 'challenges', 'events', 'shipments', 'tracking'],
  tracking: ['audit', 'clocks', 'shipments', 'events', 'companies', 'moves', 'idempotency', 'drivers'],
  drivers: ['audit', 'clocks', 'offers', 'proof', 'shipments', 'challenges', 'idempotency', 'moves', 'companies'],
  proof: ['audit', 'companies', 'idempotency', 'shipments'],
  people: ['challenges', 'audit', 'companies'],
  credentials: ['audit', 'challenges'],
  places: ['audit'],
  'request-log': ['events'],
  registrations: ['audit', 'challenges', 'idempotency', 'people'],
  sandbox: [
    'addresses',
    'clocks',
    'proof',
    'shipments',
    'dispatch',
    'offers',
    'places',
    'pricing',
    'drivers',
    'companies',
  ],
  webhooks: ['audit', 'clocks', 'events', 'shipments', 'sandbox', 'idempotency'],
};

/** Files with the SQL of one noun: `store.ts`, or `log-store.ts` beside it. */
const STORE = /\/(?:[a-z]+-)*store\.ts$/;
/** Files that touch tables beside a store, and why. */
const TABLE_READERS: Readonly<Record<string, string>> = {
  'db/readiness.ts': 'reads drizzle-kit’s own record of migrations',
};

const SYSTEM_CALLS = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bcrypto\.randomUUID\(/;

const TIME_AND_CHANCE = [
  /^src\/(?:providers\/system|ports\/log)\.ts$/,
  // A program of its own, on somebody else's machine.
  /^src\/client(?:\/|\.ts$)/,
  // So is what runs in a browser.
  /^src\/(?:console\/|driver\/|ui\/browser\/|pages\/reference\/trial\.ts$|http\/web\/tracking\/browser\.ts$)/,
  // Programs that readers copy, as text.
  /^src\/pages\/reference\/webhook-samples\.ts$/,
];
/** Samples, as text, for readers who have Node. */
const NODE = [/^src\/pages\/reference\/(?:webhook-samples|typescript)\.ts$/];
const CLOUDFLARE = [/^src\/worker\.ts$/, /^src\/platform\/cloudflare\//];
const DENO = [/^src\/deno\.ts$/, /^src\/platform\/deno\//];
/**
 * Folders of scripts. Each may import those before it: `shared` starts databases and the service, `operate` works on a
 * running service, `build` makes files from the sources, `dev` serves one developer, `bench` measures, and `prove` looks for
 * broken promises with the tools of all others.
 */
const SCRIPT_FOLDERS = ['shared', 'operate', 'build', 'dev', 'bench', 'prove'];
/** Tests of a tool import that tool. All other tests import from scripts/shared only. */
const TOOL_TESTS = [
  /^test\/(?:unit|database)\/scripts\//,
  // What `npm run prove` runs is tools.
  /^test\/(?:fuzz|generators|prove|simulation)\//,
  /^test\/unit\/http\/openapi\.test\.ts$/,
  /^test\/contract\/onboarding\.test\.ts$/,
  /^test\/runtime\/(?:doctor|fuzz)\.test\.ts$/,
  // Parts of the tests above.
  /^test\/support\/(?:lost-shard|webhook-evidence)\.ts$/,
];
/** Folders of sources that still import each other. This list only gets shorter. */
const CIRCLES_LEFT: readonly string[] = [];
const LINES_MAX = 400;
const ENTRY_LINES_MAX = 80;
/** A file with fewer lines is usually a part of its only user. */
const SHORT_LINES = 25;
const SHORT_SHARE_MAX = 0.08;

describe('imports', () => {
  test('a file imports only its own layer and those before it', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => layerOf(imported) > layerOf(file))
        .map((imported) => `${file} (${LAYERS[layerOf(file)]?.[0]}) -> ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the client, the console, the drivers’ page and the pages import values only from allowed layers', () => {
    const wrong = OUTSIDE_THE_SERVICE.flatMap(([who, allowed]) =>
      files
        .filter((file) => who.test(file))
        .flatMap((file) =>
          valueImportsOf(file)
            .filter((path) => !allowed.test(path))
            .map((path) => `${file} -> ${path}`),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('the drivers’ page and the shared parts bring nothing from the console, no type and no style', () => {
    const own = /^src\/(?:driver|ui)\//;
    const styles = globSync('src/{driver,ui}/**/*.css', { cwd: ROOT });
    const fromConsole = [
      ...files.filter((file) => own.test(file)).flatMap(importsOf),
      ...styles.flatMap((file) =>
        [...readFileSync(join(ROOT, file), 'utf8').matchAll(/@import "([^"]+)"/g)].map(([, path]) => path),
      ),
    ].filter((path = '') => path.includes('console/'));
    expect(styles).not.toEqual([]);
    expect(fromConsole).toEqual([]);
  });

  test('the console and the drivers’ page take no values from modules with schemas, which would load zod', () => {
    const wrong = files
      .filter((file) => /^src\/(?:console|driver|ui\/browser)\//.test(file))
      .flatMap((file) => valueImportsOf(file).map((path) => [file, path]))
      .filter(([, path = '']) => path.startsWith('src/contract/') && code(path).includes("from 'zod'"));
    expect(wrong).toEqual([]);
  });

  test('domain modules meet only along the listed arrows', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => isForeignDomain(file, imported))
        .map((imported) => `${file} -> ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the configuration imports nothing from the domain', () => {
    expect(importsOf('src/service/config.ts').filter((path) => path.startsWith('src/domain/'))).toEqual([]);
  });

  test('imports have no circles', () => {
    const programs = everywhere.filter((file) => /^(?:src|routers|db|scripts)\/.*\.tsx?$/.test(file));
    expect(programs.flatMap((file) => circleFrom(file))).toEqual([]);
  });

  test('folders do not import each other, directly or indirectly', () => {
    const folders = (places: readonly string[]) =>
      foldersInCircles(
        everywhere.filter((file) => /\.tsx?$/.test(file) && places.some((place) => file.startsWith(place))),
      );
    expect(folders(['src/', 'routers/', 'db/'])).toEqual(CIRCLES_LEFT);
    expect(folders(['scripts/', 'test/'])).toEqual([]);
  });

  test('script folders import only themselves and those before them', () => {
    const orderOf = (file: string) => SCRIPT_FOLDERS.indexOf(file.split('/')[1] ?? '');
    const scripts = everywhere.filter((file) => file.startsWith('scripts/') && file.endsWith('.ts'));
    const wrong = scripts.flatMap((file) =>
      importsOf(file)
        .filter((imported) => imported.startsWith('scripts/') && orderOf(imported) > orderOf(file))
        .map((imported) => `${file} -> ${imported}`),
    );
    expect(wrong).toEqual([]);
    expect(scripts.filter((file) => importsOf(file).some((imported) => imported.startsWith('test/')))).toEqual([]);
  });

  test('tests import from scripts/shared only, except tests of a tool', () => {
    const wrong = everywhere
      .filter((file) => file.startsWith('test/') && !TOOL_TESTS.some((pattern) => pattern.test(file)))
      .flatMap((file) =>
        importsOf(file)
          .filter((imported) => imported.startsWith('scripts/') && !imported.startsWith('scripts/shared/'))
          .map((imported) => `${file} -> ${imported}`),
      );
    expect(wrong).toEqual([]);
  });

  test('Workers and Deno are named only in their platforms and entries', () => {
    const named = (pattern: RegExp, homes: readonly RegExp[]) =>
      files.filter((file) => pattern.test(code(file)) && !homes.some((home) => home.test(file)));
    expect(named(/cloudflare:workers|@cloudflare\//, CLOUDFLARE)).toEqual([]);
    expect(named(/\bDeno\b/, DENO)).toEqual([]);
    expect(named(/from 'node:/, NODE)).toEqual([]);
  });

  test('providers are chosen by platforms, entries and the app', () => {
    const allowed = [/^src\/(?:worker|deno|app)\.ts$/, /^src\/(?:platform|providers)\//];
    const wrong = files.filter(
      (file) =>
        !allowed.some((pattern) => pattern.test(file)) &&
        importsOf(file).some((imported) => imported.startsWith('src/providers/')),
    );
    expect(wrong).toEqual([]);
  });

  test('bundled code imports only types from trpc-openapi', () => {
    expect(files.filter((file) => /^import (?!type)[^;]*from 'trpc-openapi'/m.test(code(file)))).toEqual([]);
  });
});

describe('tables', () => {
  test('only stores touch tables', () => {
    const wrong = files.filter(
      (file) =>
        !file.startsWith('db/') &&
        !STORE.test(file) &&
        !(file in TABLE_READERS) &&
        importsOf(file).some((imported) => /^db\/(?:directory|logs|shard)\/schema\//.test(imported)),
    );
    expect(wrong).toEqual([]);
  });

  test('a store function on company data takes a CompanyScope', () => {
    const wrong = files
      .filter((file) => STORE.test(file))
      .flatMap((file) => [...code(file).matchAll(/^export function (\w+)\(([^)]*)/gm)])
      .filter(
        ([, name = '', parameters = '']) => !(name in WITHOUT_SCOPE) && !/\bscope: CompanyScope\b/.test(parameters),
      )
      .map(([, name]) => name);
    expect(wrong).toEqual([]);
  });

  test('only access/require.ts creates a CompanyScope', () => {
    expect(files.filter((file) => /as CompanyScope\b/.test(code(file)))).toEqual(['src/access/require.ts']);
  });
});

describe('migrations', () => {
  test.each(['directory', 'shard', 'logs'])('only the newest snapshot of the %s is kept', (kind) => {
    const folder = join(ROOT, 'db', kind, 'migrations', 'meta');
    const { entries } = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8')) as {
      readonly entries: readonly { readonly idx: number }[];
    };
    const newest = String(entries.length - 1).padStart(4, '0');
    expect(readdirSync(folder).toSorted()).toEqual([`${newest}_snapshot.json`, '_journal.json']);
  });
});

describe('words', () => {
  test('only adapters read the clock and random numbers', () => {
    expect(
      files.filter((file) => SYSTEM_CALLS.test(code(file)) && !TIME_AND_CHANCE.some((home) => home.test(file))),
    ).toEqual([]);
  });

  test('the domain uses the time of the company, except where the list gives a reason', () => {
    const real = files.filter(
      (file) => file.startsWith('src/domain/') && /\bClock\b|\bclock: wall\b|\.wall\b|\{ wall \}/.test(code(file)),
    );
    const placeOf = (file: string) =>
      Object.keys(REAL_TIME).find((place) => `${file}/`.replace('.ts/', '/').startsWith(`src/domain/${place}/`));
    expect(real.filter((file) => placeOf(file) === undefined)).toEqual([]);
    expect(Object.keys(REAL_TIME).filter((place) => !real.some((file) => placeOf(file) === place))).toEqual([]);
  });

  test('no file is named for unrelated helpers', () => {
    const drawers = everywhere.filter(
      (file) =>
        /(?:^|\/)(?:utils?|helpers?|common|types|misc)(?:\.ts|\/)/.test(file) ||
        (file.endsWith('/index.ts') && file !== 'routers/index.ts'),
    );
    expect(drawers).toEqual([]);
  });

  test('no file uses any or suppresses type errors', () => {
    expect(files.filter((file) => /\bas any\b|: any\b|<any>|@ts-ignore|@ts-expect-error/.test(code(file)))).toEqual([]);
  });

  test('names are kebab-case', () => {
    expect(everywhere.filter((file) => /\.tsx?$/.test(file) && !/^[a-z0-9./-]+$/.test(file))).toEqual([]);
  });
});

describe('sizes', () => {
  const lengths = [...sources]
    .map(([file, text]) => [file, text.split('\n').length - 1] as const)
    .toSorted(([, left], [, right]) => right - left);
  const inSrc = lengths.filter(([file]) => file.startsWith('src/'));
  const shortOnes = inSrc.filter(([, lines]) => lines < SHORT_LINES);
  const share = shortOnes.length / inSrc.length;

  test('no file has more lines than the limit', () => {
    const long = lengths.filter(
      ([file, lines]) => lines > (/^src\/(?:worker|deno)\.ts$/.test(file) ? ENTRY_LINES_MAX : LINES_MAX),
    );
    expect(long).toEqual([]);
  });

  test('few files of src have fewer lines than the minimum', () => {
    expect(share, `the share of files under ${SHORT_LINES} lines`).toBeLessThanOrEqual(SHORT_SHARE_MAX);
  });

  afterAll(() => {
    console.info(
      [
        `${shortOnes.length} of ${inSrc.length} files in src have fewer than ${SHORT_LINES} lines (${(share * 100).toFixed(1)} %)`,
        `longest: ${Array.from(lengths.slice(0, 5), (one) => one.join(' ')).join(', ')}`,
        `${CIRCLES_LEFT.length} folders import each other in circles`,
      ].join('\n'),
    );
  });
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');

  test('lists the layers in order', () => {
    expect(text).toContain(`\`${LAYERS.map(([name]) => name).join(' ← ')}\``);
  });
});

function layerOf(file: string): number {
  const layer = LAYERS.findIndex(([, paths]) => paths.test(file));
  if (layer < 0) throw new Error(`${file} has no place in the house`);
  return layer;
}

function isForeignDomain(file: string, imported: string): boolean {
  const [own, other] = [file, imported].map((path) => /^src\/domain\/([^/]+)\//.exec(path)?.[1]);
  return own !== undefined && other !== undefined && own !== other && !(DOMAIN_ARROWS[own] ?? []).includes(other);
}

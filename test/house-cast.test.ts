import { describe, expect, test } from 'vitest';
import { code, files, sources } from './support/source-files.ts';

/* The rules of docs/architecture.md for fields of pages. Each failure names the file. */

describe('what people type', () => {
  const pages = files.filter((file) =>
    /^src\/(?:console|driver|ui\/browser)\/|^src\/pages\/reference\/(?:browser|trial|search)\./.test(file),
  );

  test('is typed into fields that read it', () => {
    const inputs = pages.flatMap((file) =>
      [...code(file).matchAll(/<(?:input|textarea)\b[^>]*/g)]
        .filter(([tag]) => !/type="(?:checkbox|file|radio|range)"/.test(tag))
        .map(() => file),
    );
    expect([...new Set(inputs)]).toEqual(['src/ui/browser/kit/field.tsx']);
  });

  test('is read by the readers of src/core/typed alone', () => {
    // Cutting edges, taking digits of other scripts, knowing a telephone, or choosing the keyboard of a value.
    const own = /\.trim(?:Start|End)?\(|\\u0660|٠-٩|5(?:\[0-9\]|\\d)\{8\}|import \{[^}]*SAUDI_MOBILE|\binputMode=/;
    const wrong = pages.filter(
      (file) => own.test(code(file)) && !/^src\/ui\/browser\/kit\/(?:field|number-readers|readers)\.tsx?$/.test(file),
    );
    expect(wrong).toEqual([]);
  });

  test('reaches every reader in the tests that run over the cast of real values', () => {
    const tests = ['typed', 'typed-folded'].map((name) => sources.get(`test/unit/core/${name}.test.ts`) ?? '').join('');
    const readers = files
      .filter((file) => file.startsWith('src/core/typed/'))
      .flatMap((file) => [...code(file).matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name));
    expect(readers.filter((name) => !new RegExp(`\\b${name}\\(|\\b${name}\\)`).test(tests))).toEqual([]);
    expect(tests).toContain("from '../../support/cast.ts'");
  });
});

/** Each list that can be longer than a page, and the test that reads 51 entries of the cast to its end. */
const LONG_LISTS: Readonly<Record<string, string>> = {
  'branches list': 'test/contract/lists-cast.test.ts',
  'driver listShipments': 'test/browser/driver-taps.test.ts',
  'events list': 'test/contract/lists-cast.test.ts',
  'fleet list': 'test/contract/lists-cast.test.ts',
  'operator-companies list': 'test/contract/lists-cast.test.ts',
  'operator-shipments listQueue': 'test/browser/cast-pages.test.ts',
  'pickup-locations list': 'test/contract/lists-cast.test.ts',
  'request-log list': 'test/contract/lists-cast.test.ts',
  'shipments list': 'test/contract/lists-cast.test.ts',
  'webhook-deliveries list': 'test/contract/lists-cast.test.ts',
};
/** Lists without a 51st entry, or with a test of their own, and why. */
const SHORT_LISTS: Readonly<Record<string, string>> = {
  'activity list': 'the rows of shipments.list, for the page of the console that cast-pages opens',
  'cases list': 'test/contract/cases.test.ts reads its pages',
  'operator-cases list': 'test/unit/domain/shipments/cases.test.ts reads its order',
  'cod-collections list': 'test/contract/cod-collections.test.ts reads its pages',
  'coverage list': 'cities and capabilities of the deployment, whole',
  'driver listOffers': 'a driver has at most 12 offers in a search',
  'media-assets list': 'at most 10 for a reference',
  'operations list': 'clients and tariffs of the deployment',
  'operator-credentials list': 'programs of the deployment',
  'operator-registrations list': 'test/contract/operator-registrations.test.ts reads its pages',
  'people list': 'people of one company; test/contract/audit.test.ts reads the pages of the audit',
  'sessions list': 'sessions of one person',
  'shipment-amendments list': 'at most 20 for a shipment',
  'shipment-batches listItems': 'test/contract/shipment-batches.test.ts reads 500 items',
  'tracking-links list': 'at most 10 active for a shipment',
  'webhook-deliveries listUnsent': 'one line for each endpoint',
  'webhook-endpoints list': 'at most 10 for a company',
};

describe('the cast of real values', () => {
  const CAST = "support/cast.ts'";
  const testOf = (file: string) => sources.get(file) ?? '';

  test('fills every list', () => {
    const lists = files
      .filter((file) => file.startsWith('routers/'))
      .flatMap((file) =>
        [...code(file).matchAll(/^\s+(list\w*): \w+Procedure\(/gm)].map(
          ([, name = '']) => `${/\/(.*)\.ts$/.exec(file)?.[1] ?? ''} ${name}`,
        ),
      );
    expect(Object.keys({ ...LONG_LISTS, ...SHORT_LISTS }).toSorted()).toEqual([...new Set(lists)].toSorted());
    expect(Object.values(LONG_LISTS).filter((file) => !testOf(file).includes(CAST))).toEqual([]);
  });

  test('is behind every page', () => {
    const opened = testOf('test/browser/cast-pages.test.ts');
    const areas = /const AREAS = \{(.*?)\n\} as const;/s.exec(opened)?.[1] ?? '';
    const named = [...code('src/console/shell/areas.tsx').matchAll(/^ {4}name: '([^']*)'/gm)];
    expect([...areas.matchAll(/'([^']*)'/g)].map(([, area]) => area)).toEqual(named.map(([, area]) => area));
    // The pages outside of the console.
    for (const [page, file] of [
      ['/driver', 'test/browser/driver-taps.test.ts'],
      ['/t/', 'test/browser/cast-pages.test.ts'],
      ['/waybill', 'test/browser/cast-pages.test.ts'],
    ] as const) {
      expect([page, testOf(file).includes(page) && testOf(file).includes(CAST)]).toEqual([page, true]);
    }
  });
});

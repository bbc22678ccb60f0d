import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sealer } from '../../../src/access/sealer.ts';
import { fromBase64Url, toBase64Url } from '../../../src/core/base64url.ts';
import { systemRandom } from '../../../src/providers/system.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64url');
const cursors = new Sealer([keyOf(1)], systemRandom);
const QUERY = ['shipments', 'company', undefined, 'order-1', 'createdAt desc'];
const POSITION = ['1795224000000000', '01a1fbdf-1dae-72c6-bbe1-a4915637be63'];

describe('a cursor', () => {
  test('opens for the query it was issued for', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 });
    const bindings = fc.array(fc.option(fc.string(), { nil: undefined }), { maxLength: 5 });
    const property = fc.asyncProperty(bindings, texts, async (binding, position) => {
      expect(await cursors.open(binding, await cursors.seal(binding, position))).toEqual(position);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test.each([
    ['of another company', ['shipments', 'other', undefined, 'order-1', 'createdAt desc']],
    ['with an additional filter', ['shipments', 'company', 'OFFERED', 'order-1', 'createdAt desc']],
    ['with a filter removed', ['shipments', 'company', undefined, undefined, 'createdAt desc']],
    ['with the filter in another place', ['shipments', 'company', 'order-1', undefined, 'createdAt desc']],
    ['with the word null as filter', ['shipments', 'company', 'null', 'order-1', 'createdAt desc']],
    ['with an empty filter', ['shipments', 'company', '', 'order-1', 'createdAt desc']],
    ['without the sort order', ['shipments', 'company', undefined, 'order-1']],
    ['with its parts joined', ['shipments', 'company,null,order-1', 'createdAt desc']],
    ['without parts', []],
  ])('does not open for a query %s', async (_case, other) => {
    expect(await cursors.open(other, await cursors.seal(QUERY, POSITION))).toBeUndefined();
  });

  test('is refused without an error when any single bit is changed', async () => {
    const bytes = fromBase64Url(await cursors.seal(QUERY, POSITION)) ?? new Uint8Array();
    expect(bytes.length).toBeGreaterThan(40);
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = bytes.map((byte, place) => (place === index ? byte ^ 1 : byte));
      expect(await cursors.open(QUERY, toBase64Url(changed))).toBeUndefined();
    }
  });

  test('is refused without an error when it is cut short or malformed', async () => {
    const cursor = await cursors.seal(QUERY, POSITION);
    for (let length = 0; length < cursor.length; length += 1) {
      expect(await cursors.open(QUERY, cursor.slice(0, length))).toBeUndefined();
    }
    for (const text of ['=', 'a b', `${cursor}!`, `${cursor}=`, 'لا']) {
      expect(await cursors.open(QUERY, text)).toBeUndefined();
    }
  });

  test('differs each time and does not reveal its content', async () => {
    const [one, two] = [await cursors.seal(QUERY, POSITION), await cursors.seal(QUERY, POSITION)];
    expect(one).not.toBe(two);
    // The nonce at the beginning differs too: a repeated nonce would reveal the key stream.
    expect(one.slice(0, 16)).not.toBe(two.slice(0, 16));
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('17952240');
    expect(one).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});

describe('cursor keys', () => {
  test('rotate without refused cursors: every key opens, the first one seals', async () => {
    const changed = new Sealer([keyOf(2), keyOf(1)], systemRandom);
    expect(await changed.open(QUERY, await cursors.seal(QUERY, POSITION))).toEqual(POSITION);
    const sealed = await changed.seal(QUERY, POSITION);
    expect(await new Sealer([keyOf(2)], systemRandom).open(QUERY, sealed)).toEqual(POSITION);
    expect(await cursors.open(QUERY, sealed)).toBeUndefined();
    // Both keys still work after both have been used.
    expect(await changed.open(QUERY, await changed.seal(QUERY, POSITION))).toEqual(POSITION);
    expect(await changed.open(QUERY, await cursors.seal(QUERY, POSITION))).toEqual(POSITION);
  });

  test('belong to one deployment: a cursor of another one is refused', async () => {
    const sealed = await new Sealer([keyOf(3)], systemRandom).seal(QUERY, POSITION);
    expect(await cursors.open(QUERY, sealed)).toBeUndefined();
  });

  test('must exist and be valid', async () => {
    await expect(new Sealer([], systemRandom).seal(QUERY, POSITION)).rejects.toThrow('There is no key');
    await expect(new Sealer(['not a key'], systemRandom).seal(QUERY, POSITION)).rejects.toThrow('not base64url');
  });
});

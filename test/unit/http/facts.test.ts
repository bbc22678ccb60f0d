import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicPathOf } from '../../../src/http/facts.ts';

const pathOf = (pathname: string) =>
  publicPathOf(new URL(`https://mirsal.example${pathname}`), ['/t', '/v2/public/tracking']);

describe('the path for responses and logs', () => {
  it.each([
    ['/t/secret', '/t'],
    ['/%74/secret', '/t'],
    ['/t%2Fsecret', '/t'],
    ['/t%252Fsecret', '/t'],
    ['/t%25252fsecret', '/t'],
    ['/%2574%252fsecret', '/t'],
    ['/t%2%35%32%46secret', '/t'],
    ['/T//secret/x', '/t'],
    ['/t%5csecret', '/t'],
    ['/v2%2Fpublic/%54racking/secret', '/v2/public/tracking'],
    ['/v2/external/shipments', '/v2/external/shipments'],
    ['/x/%25/y', '/x/%25/y'],
    ['/x/%/[y]', '/x/%25/%5By%5D'],
  ])('of %s is %s', (pathname, path) => {
    expect(pathOf(pathname)).toBe(path);
  });

  it('leaves out what follows a secret prefix, however often each character of the prefix is encoded', () => {
    const levels = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(levels, (each) => {
        const encoded = [...'/t/'].map((character, at) => encodedTimes(character, each[at] ?? 0)).join('');
        expect(pathOf(`/x/..${encoded.startsWith('/') ? encoded : `/${encoded}`}secret`)).not.toContain('secret');
      }),
    );
  });

  it('does not grow with an address, and is found without a pass for each level of encoding', () => {
    // Half a million passes over a million characters would take hours.
    for (const address of [`/x/%${'25'.repeat(500_000)}`, `/x/${'%25'.repeat(300_000)}`, `/t${'%'.repeat(1_000_000)}`])
      expect(pathOf(address).length).toBeLessThan(6200);
  });

  it('is the same for a long prefix of slashes, and says nothing of what comes after the limit', () => {
    expect(pathOf(`/${'/'.repeat(100)}t/secret`)).toBe('/t');
    for (let slashes = 2000; slashes < 2100; slashes += 1)
      expect(pathOf(`${'/'.repeat(slashes)}t%2fsecret`)).not.toContain('secret');
  });
});

function encodedTimes(character: string, levels: number): string {
  if (levels === 0) return character;
  const hex = character.charCodeAt(0).toString(16);
  return `%${'25'.repeat(levels - 1)}${hex}`;
}

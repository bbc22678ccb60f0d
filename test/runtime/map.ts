import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { localArchive } from '../../scripts/shared/routing/local-archive.ts';
import { describeMapFile } from '../support/map-answers.ts';
import type { Started } from './service.ts';

/** The archive for the maps of browsers, and the pages that name it. */
export function describeMap(started: Started): void {
  describe('answers for maps', async () => {
    const file = readFileSync(await localArchive());
    describeMapFile(
      (headers = {}, method = 'GET') =>
        fetch(`${started().address}/map/streets.pmtiles`, {
          headers: { 'accept-encoding': 'identity', ...headers },
          method,
        }),
      () => file,
    );

    it('are named by the console', async () => {
      expect(await (await fetch(`${started().address}/console`)).text()).toContain(
        '<body data-map="/map/streets.pmtiles">',
      );
    });
  });
}

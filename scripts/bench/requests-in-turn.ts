import { randomBytes } from 'node:crypto';
import { FRESH, type PreparedRequest } from './load.ts';

export interface Turn {
  readonly bytes: Buffer;
  readonly expectStatus: number;
  /** What stands in the place of `FRESH`; undefined where nothing has to be new. */
  readonly fresh: string | undefined;
}

/** One request after the other, again and again. Bytes are made once; only what has to be new is written into them. */
export function requestsInTurn(requests: readonly PreparedRequest[]): () => Turn {
  const prepared = requests.map(({ text: whole, expectStatus }) => {
    const bytes = Buffer.from(whole);
    return { bytes, expectStatus, places: placesOf(bytes, Buffer.from(FRESH)) };
  });
  const run = randomBytes(6).toString('hex');
  let sent = 0;
  return () => {
    const request = prepared[sent % prepared.length];
    if (request === undefined) throw new Error('There is no request to send');
    sent += 1;
    const { bytes, expectStatus, places } = request;
    if (places.length === 0) return { bytes, expectStatus, fresh: undefined };
    const copy = Buffer.from(bytes);
    const fresh = `${run}${String(sent).padStart(FRESH.length - run.length, '0')}`;
    for (const place of places) copy.write(fresh, place, 'latin1');
    return { bytes: copy, expectStatus, fresh };
  };
}

function placesOf(bytes: Buffer, sought: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + sought.length)) places.push(at);
  return places;
}

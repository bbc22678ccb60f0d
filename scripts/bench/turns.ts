import { randomBytes } from 'node:crypto';
import { FRESH, type PreparedRequest, type Stream } from './load.ts';

/** The next request to send. */
export interface Turn {
  readonly stream: string;
  readonly bytes: Buffer;
  readonly expectStatus: number;
  /** The text in place of `FRESH`. Undefined if the request has none. */
  readonly fresh: string | undefined;
}

/** All requests in one sequence: each stream has as many as its share says, evenly mixed with the others. */
export function turnsOf(streams: readonly Stream[]): () => Turn {
  const total = streams.reduce((sum, { share }) => sum + share, 0);
  const all = streams.map(({ name, share, requests, isOnce }) => ({
    name,
    share,
    next: repeat(requests),
    left: isOnce === true ? requests.length : Number.POSITIVE_INFINITY,
    credit: 0,
  }));
  const [first] = all;
  if (first === undefined) throw new Error('There is no stream');
  return () => {
    let chosen = first;
    for (const stream of all) {
      stream.credit += stream.share;
      if (stream.credit > chosen.credit) chosen = stream;
    }
    chosen.credit -= total;
    const taken = chosen.left > 0 ? chosen : first;
    taken.left -= 1;
    return { stream: taken.name, ...taken.next() };
  };
}

/** Repeats the requests without end. Their bytes are made once; only the fresh text is written into a copy. */
function repeat(requests: readonly PreparedRequest[]): () => Omit<Turn, 'stream'> {
  const prepared = requests.map(({ text, expectStatus }) => {
    const bytes = Buffer.from(text);
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

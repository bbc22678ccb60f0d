import type { Stream } from './flood.ts';
import { requestsInTurn, type Turn } from './requests-in-turn.ts';

/** One request after the other: of each stream as many as its share says, evenly among the others. */
export function streamsInTurn(streams: readonly Stream[]): () => { readonly name: string; readonly turn: Turn } {
  const total = streams.reduce((sum, { share }) => sum + share, 0);
  const all = streams.map(({ name, share, requests, isOnce }) => ({
    name,
    share,
    next: requestsInTurn(requests),
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
    return { name: taken.name, turn: taken.next() };
  };
}

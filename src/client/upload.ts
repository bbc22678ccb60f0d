import type { TRPCLink } from '@trpc/client';
import { isRecord } from './problem.ts';
import type { MirsalRouter } from './router.ts';

/** Sends an input with bytes as a form: `input` has the other members as JSON, `content` has the bytes and their type. */
export function uploadLink(): TRPCLink<MirsalRouter> {
  return () =>
    ({ op, next }) =>
      next(isRecord(op.input) ? { ...op, input: formOf(op.input) ?? op.input } : op);
}

function formOf({ content, ...members }: Readonly<Record<string, unknown>>): FormData | undefined {
  if (!isRecord(content) || !(content['bytes'] instanceof Uint8Array)) return undefined;
  // A copy, because a Blob cannot be built from shared memory.
  const file = new Blob([new Uint8Array(content['bytes'])], { type: String(content['contentType']) });
  const form = new FormData();
  form.set('input', JSON.stringify(members));
  form.set('content', file);
  return form;
}

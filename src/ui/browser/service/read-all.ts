import { type ListProcedure, listAll } from '../../../client/list-all.ts';

/** All entries of a list, over all of its pages: for lists that a page shows whole. */
export async function readAll<Input extends { readonly cursor?: string | undefined }, Entry>(
  list: ListProcedure<Input, Entry>,
  input: Input,
  options: { signal?: AbortSignal } = {},
): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of listAll(list, input, options)) all.push(entry);
  return all;
}

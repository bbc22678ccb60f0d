/** A list procedure, such as `client.shipments.list`. */
export interface ListProcedure<Input, Entry> {
  query(input: Input, options?: { signal?: AbortSignal | undefined }): Promise<ListPage<Entry>>;
}

/** One page of a list. */
export interface ListPage<Entry> {
  readonly data: readonly Entry[];
  readonly page: { readonly nextCursor: string | null };
}

/** The largest page size, for the fewest requests. */
const LIMIT = 100;

/**
 * Iterates over all entries of a list in its order:
 *
 *     for await (const shipment of listAll(client.shipments.list, { state: 'OFFERED' })) { … }
 *
 * A page is read when its first entry is needed. `limit` is the page size (100 by default), `cursor` the starting point.
 * Rejects with the `MirsalError` of a page that could not be read.
 */
export async function* listAll<Input extends { readonly cursor?: string | undefined }, Entry>(
  list: ListProcedure<Input, Entry>,
  input: Input,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Entry, void, undefined> {
  let next = { limit: LIMIT, ...input };
  for (;;) {
    const { data, page } = await list.query(next, options);
    yield* data;
    // Where the feed of events ends now, it answers the same cursor again, for later polls.
    if (page.nextCursor === null || page.nextCursor === next.cursor) return;
    next = { ...next, cursor: page.nextCursor };
  }
}

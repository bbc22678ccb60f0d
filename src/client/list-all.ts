/** A procedure that lists: `client.shipments.list`. */
export interface ListProcedure<Input, Entry> {
  query(input: Input, options?: { signal?: AbortSignal }): Promise<ListPage<Entry>>;
}

/** One answer of a list. */
interface ListPage<Entry> {
  readonly data: readonly Entry[];
  readonly page: { readonly nextCursor: string | null };
}

/** The most that a page may hold: the fewest requests for a walk through all of them. */
const LIMIT = 100;

/**
 * Walks through all entries of a list, page by page, in the list's order:
 *
 *     for await (const shipment of listAll(client.shipments.list, { state: 'OFFERED' })) { … }
 *
 * A page is read when its first entry is asked for. `limit` is the size of a page (100 if not given), `cursor` where to
 * begin. Rejects with the `MirsalError` of the page that could not be read.
 */
export async function* listAll<Input extends { readonly cursor?: string | undefined }, Entry>(
  list: ListProcedure<Input, Entry>,
  input: Input,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<Entry, void, undefined> {
  let next = { limit: LIMIT, ...input };
  for (;;) {
    const { data, page } = await list.query(next, options);
    yield* data;
    if (page.nextCursor === null) return;
    next = { ...next, cursor: page.nextCursor };
  }
}

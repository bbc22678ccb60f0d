import { type Outputs, service } from '../service/service.ts';

export type Branch = Outputs['branches']['list']['data'][number];
export type PickupLocation = Outputs['pickupLocations']['list']['data'][number];

interface PageOf<Entry> {
  readonly data: readonly Entry[];
  readonly page: { readonly nextCursor: string | null };
}

/** As many as a page may have. A company has at most 200 branches and 1000 pickup locations. */
const LIMIT = 100;
const PAGES_MAX = 10;

/** The branch of this code; undefined when the company has none. The service lists places and names none by itself. */
export function findBranch(branchCode: string): Promise<Branch | undefined> {
  return find(
    (cursor) => service.branches.list.query({ limit: LIMIT, ...cursor }),
    (branch) => branch.branchCode === branchCode,
  );
}

/** The pickup location of this code in this branch. */
export function findPickupLocation(
  branchCode: string,
  pickupLocationCode: string,
): Promise<PickupLocation | undefined> {
  return find(
    (cursor) => service.pickupLocations.list.query({ branchCode, limit: LIMIT, ...cursor }),
    (location) => location.pickupLocationCode === pickupLocationCode,
  );
}

async function find<Entry>(
  load: (cursor: { readonly cursor?: string }) => Promise<PageOf<Entry>>,
  isIt: (entry: Entry) => boolean,
): Promise<Entry | undefined> {
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer: PageOf<Entry> = await load(cursor === null ? {} : { cursor });
    const found = answer.data.find(isIt);
    cursor = answer.page.nextCursor;
    if (found !== undefined || cursor === null) return found;
  }
  return undefined;
}

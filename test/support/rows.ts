import type { Environment, TestCompany } from '../../scripts/shared/connection.ts';

/** How many rows a company has in its shard. */
export interface Stored {
  readonly shipments: number;
  readonly events: number;
  readonly keys: number;
}

export const NOTHING: Stored = { shipments: 0, events: 0, keys: 0 };

export async function storedOf(environment: Environment, { companyId, shard }: TestCompany): Promise<Stored> {
  const [row] = await environment.sql(
    shard,
    `select (select count(*) from shipments where company_id = ?1) as shipments,
       (select count(*) from shipment_events where company_id = ?1) as events,
       (select count(*) from idempotency_records where company_id = ?1) as keys`,
    [companyId],
  );
  return { shipments: Number(row?.['shipments']), events: Number(row?.['events']), keys: Number(row?.['keys']) };
}

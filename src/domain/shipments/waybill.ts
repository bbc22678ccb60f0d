import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyNames } from '../companies/company.ts';
import { shipmentById } from './store.ts';
import { presentShipment } from './view.ts';

interface Dependencies {
  readonly database: Database;
  readonly directory: { readonly database: Database };
  readonly companyNames: CompanyNames;
}

/** The content of labels: shipments as merchants see them, in the order of their ids, and the merchant's name. */
export async function readWaybills(
  { database, directory, companyNames }: Dependencies,
  scope: CompanyScope,
  shipmentIds: readonly Uuid[],
): Promise<Result<{ readonly merchantName: string; readonly shipments: Shipment[] }>> {
  const [answer, merchantName] = await Promise.all([
    database.readAll(shipmentIds.map((shipmentId) => shipmentById(scope, shipmentId))),
    companyNames.nameOf(directory.database, scope),
  ]);
  if (!answer.ok || merchantName === undefined) return unavailable();
  const rows = answer.results.flat();
  // An unknown shipment and one of another company get the same refusal.
  if (rows.length < shipmentIds.length) return refuse('ACCESS_DENIED');
  return ok({ merchantName, shipments: rows.map(presentShipment) });
}

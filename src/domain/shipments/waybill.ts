import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyNames } from '../companies/company.ts';
import { readShipment } from './command.ts';
import { presentShipment } from './view.ts';

/** The content of a label: the shipment as merchants see it, and the merchant's name. */
export async function readWaybill(
  {
    database,
    directory,
    companyNames,
  }: {
    readonly database: Database;
    readonly directory: { readonly database: Database };
    readonly companyNames: CompanyNames;
  },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<{ readonly merchantName: string; readonly shipment: Shipment }>> {
  const [row, merchantName] = await Promise.all([
    readShipment(database, scope, shipmentId),
    companyNames.nameOf(directory.database, scope),
  ]);
  if (!row.ok) return row;
  if (merchantName === undefined) return unavailable();
  return ok({ merchantName, shipment: presentShipment(row.value) });
}

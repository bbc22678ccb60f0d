import type { CompanyScope } from '../../access/require.ts';
import type { Result } from '../../core/result.ts';
import type { CommandOrder } from './command.ts';
import type { ShipmentRow } from './store.ts';

/** Where the commands on one shipment stand in line, so that they do not fight each other in the database. */
export interface Lane {
  execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>>;
}

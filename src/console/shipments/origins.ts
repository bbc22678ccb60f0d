import { type Outputs, service } from '../service/service.ts';
import { blankDraft, type ShipmentDraft } from './shipment-draft.ts';

/** Where a shipment may begin. */
export interface Origins {
  readonly branches: Outputs['branches']['list']['data'];
  readonly pickupLocations: Outputs['pickupLocations']['list']['data'];
}

/** A company with more than so many places is better served by its own system. */
const PLACES = 100;

export async function readOrigins(): Promise<Origins> {
  const [branches, pickupLocations] = await Promise.all([
    service.branches.list.query({ status: 'ACTIVE', limit: PLACES }),
    service.pickupLocations.list.query({ status: 'ACTIVE', limit: PLACES }),
  ]);
  return { branches: branches.data, pickupLocations: pickupLocations.data };
}

/** Who has one place to begin need not choose it. */
export function firstDraft({ branches, pickupLocations }: Origins): ShipmentDraft {
  const blank = blankDraft(new Date());
  const [branch] = branches;
  if (branch === undefined || branches.length > 1) return blank;
  const { branchCode } = branch;
  const pickupLocationCode = pickupLocations.length === 1 ? (pickupLocations[0]?.pickupLocationCode ?? '') : '';
  return { ...blank, values: { ...blank.values, branchCode, pickupLocationCode } };
}

import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { FollowUpKind } from '../../contract/resolution-state.ts';
import { NO_PHONE } from '../../core/phone.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Random } from '../../ports/random.ts';
import { membersOf } from '../people/store.ts';
import { pickupLocationByCode } from '../places/store.ts';
import type { Contact, Identity } from './follow-up.ts';
import { newShipmentNumber } from './number.ts';
import { takenReferences } from './resolution-store.ts';
import type { ShipmentRow } from './store.ts';

export interface IdentityDependencies {
  readonly database: Database;
  readonly directory: { readonly database: Database };
  readonly random: Random;
}

const REFERENCE_LENGTH_MAX = 128;
/** Followed by this many others, a reference gets the end of the new id, which nobody has. */
const TRIED_MAX = 20;

/**
 * The identity of a follow-up. Its reference is that of the first shipment with `~2`, `~3` or `~R`. A merchant may use such references
 * too, so it is the next one that is free.
 */
export async function newIdentity(
  { database, random }: Pick<IdentityDependencies, 'database' | 'random'>,
  scope: CompanyScope,
  of: {
    readonly kind: FollowUpKind;
    readonly reference: string;
    readonly attempt: number;
    readonly given?: string | undefined;
  },
): Promise<Result<Identity>> {
  const id = random.uuid();
  const shipmentNumber = newShipmentNumber(random);
  if (of.given !== undefined) return ok({ id, shipmentNumber, externalReference: of.given });
  const tried = Array.from({ length: TRIED_MAX }, (_, index) => withEnd(of.reference, endOf(of, index)));
  const taken = await database.read(takenReferences(scope, tried));
  if (!taken.ok) return unavailable();
  const used = new Set(taken.rows.map(({ externalReference }) => externalReference));
  const free = tried.find((reference) => !used.has(reference)) ?? withEnd(of.reference, `~${id.slice(-12)}`);
  return ok({ id, shipmentNumber, externalReference: free });
}

function endOf({ kind, attempt }: { readonly kind: FollowUpKind; readonly attempt: number }, index: number): string {
  if (kind === 'REDELIVERY') return `~${attempt + index}`;
  return index === 0 ? '~R' : `~R${index + 1}`;
}

/** Cut by characters, so that none is halved. */
function withEnd(reference: string, end: string): string {
  return (
    Array.from(reference)
      .slice(0, REFERENCE_LENGTH_MAX - end.length)
      .join('') + end
  );
}

/** Who takes what goes back: the contact of the pickup location, or without one an owner of the company. */
export async function returnContact(
  { database, directory }: IdentityDependencies,
  scope: CompanyScope,
  { pickupLocationCode }: Pick<ShipmentRow, 'pickupLocationCode'>,
): Promise<Result<Contact>> {
  const found = await database.read(pickupLocationByCode(scope, pickupLocationCode));
  if (!found.ok) return unavailable();
  const [place] = found.rows;
  const name = place?.contactName ?? place?.name ?? pickupLocationCode;
  if (place?.contactPhone != null) return ok({ name, phone: place.contactPhone });
  const members = await directory.database.read(membersOf(scope));
  if (!members.ok) return unavailable();
  const owner = members.rows.find(({ role, mobile }) => role === 'OWNER' && mobile !== '');
  // The owner of a company that programs have made may have no phone.
  return ok(owner === undefined ? { name, phone: NO_PHONE } : { name: owner.fullName, phone: owner.mobile });
}

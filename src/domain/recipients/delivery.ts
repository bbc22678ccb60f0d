import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { CHANGE_RULES } from '../../contract/amendment-rules.ts';
import { AMENDMENT_CHANGES, type AmendmentChange } from '../../contract/amendment-state.ts';
import type { DeliveryPin, RecipientDelivery, RecipientReply } from '../../contract/recipient.ts';
import { type LinkPermission, RECIPIENT_CHANGES, type RecipientChangeKind } from '../../contract/recipient-state.ts';
import type { Location, ShipmentItem } from '../../contract/shipment.ts';
import type { DeliveryPlace } from '../../contract/shipment-amendment.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import type { WindowStatus } from '../../contract/window-state.ts';
import { formatInstant, type Instant, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type ReplyRow, replyOf } from '../addresses/confirmation-store.ts';
import { type AddressRow, addressOf } from '../addresses/record-store.ts';
import { objectionTo } from '../shipments/amendment-draft.ts';
import { type ChargedStanding, readStanding } from '../shipments/amendment-plan.ts';
import { isAwaiting } from '../shipments/amendment-view.ts';
import { readShipment } from '../shipments/command.ts';
import {
  type CitySlots,
  presentOffered,
  presentWindow,
  slotsOf,
  windowsOffered,
} from '../shipments/delivery-windows.ts';
import { returnMadeSince } from '../shipments/return-store.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { windowStandingOf } from '../shipments/window-store.ts';
import { objectionToReturn, presentReturn, type ReturnFacts, readReturnFacts } from './return-request.ts';

/** What the recipient of a shipment sees, all of it as it was read. */
export interface DeliveryFacts {
  readonly standing: ChargedStanding;
  readonly address: AddressRow;
  readonly returns: ReturnFacts;
  readonly windowStatus: WindowStatus | null;
}

export async function readDeliveryFacts(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<DeliveryFacts>> {
  const [standing, others, returns] = await Promise.all([
    readStanding(database, scope, shipmentId),
    database.readAll([addressOf(scope, shipmentId), windowStandingOf(scope, shipmentId)] as const),
    readReturnFacts(database, scope, shipmentId),
  ]);
  if (!standing.ok) return standing;
  if (!others.ok) return unavailable();
  if (!returns.ok) return returns;
  const [[address], [window]] = others.results;
  if (address === undefined) return refuse('ACCESS_DENIED');
  return ok({ standing: standing.value, address, returns: returns.value, windowStatus: window?.windowStatus ?? null });
}

/** The delivery as the recipient sees it with the permissions of a link. Pure. */
export function presentDelivery(
  { standing, address, returns, windowStatus }: DeliveryFacts,
  permissions: readonly LinkPermission[],
  { now, slots, pin }: { readonly now: Instant; readonly slots: CitySlots; readonly pin: DeliveryPin | null },
): RecipientDelivery {
  const { row, terms, others } = standing;
  const { reply } = returns;
  const destination = parseStored<Location>(row.destination);
  const may = RECIPIENT_CHANGES.filter((change) => permissions.includes(change)).map((change) =>
    change === 'RETURN' ? mayReturn(row, returns, now) : mayChange(change, standing, reply),
  );
  const mayReturnNow = may.some(({ change, allowed }) => change === 'RETURN' && allowed);
  const mayAsk = may.some(({ change, allowed }) => change === 'WINDOW' && allowed);
  const { pickupWindowEnd } = row;
  const basis = {
    now,
    pickupWindowEnd,
    durationSeconds: terms.durationSeconds,
    slots: slotsOf(slots, destination.cityCode),
  };
  return {
    version: row.version,
    confirmedAt: instantOrNull(reply?.confirmedAt ?? null),
    destination,
    nationalAddress: { shortAddress: address.shortAddress, status: address.status ?? 'MISSING' },
    place: row.place === null ? null : parseStored<DeliveryPlace>(row.place),
    instructions: row.instructions,
    window: presentWindow({ ...row, windowStatus }),
    windowsOffered: mayAsk ? windowsOffered(basis).map(presentOffered) : [],
    refusal: refusalIn(reply),
    returnRequest: presentReturn(returns, now),
    returnable: mayReturnNow ? itemsLeft(row, returns) : [],
    pin,
    awaitingMerchant: others.flatMap((amendment) =>
      amendment.decideBy !== null && isAwaiting(amendment, now)
        ? [
            {
              amendmentId: amendment.id,
              changes: parseStored<AmendmentChange[]>(amendment.changes),
              decideBy: formatInstant(amendment.decideBy),
            },
          ]
        : [],
    ),
    may,
  };
}

function refusalIn(reply: ReplyRow | undefined): RecipientDelivery['refusal'] {
  if (reply === undefined || reply.refusedAt === null || reply.refusalReason === null) return null;
  const { refusedAt, refusalReason: reasonCode, refusalComment: comment } = reply;
  return { refusedAt: formatInstant(refusedAt), reasonCode, comment };
}

type May = RecipientDelivery['may'][number];

function mayReturn(row: ShipmentRow, returns: ReturnFacts, now: Instant): May {
  const code = objectionToReturn(row, returns, now) ?? null;
  const until = code === 'TOO_LATE' ? null : 'RETURN_DAYS';
  return { change: 'RETURN', allowed: code === null, until, code };
}

function itemsLeft({ items }: ShipmentRow, { left }: ReturnFacts): RecipientDelivery['returnable'] {
  return parseStored<ShipmentItem[]>(items).flatMap(({ description }, index) => {
    const quantity = left[index] ?? 0;
    return quantity === 0 ? [] : [{ index, description, quantity }];
  });
}

/** Of several changes that a permission allows, the one that is allowed for the longest time decides. */
function mayChange(
  change: Exclude<RecipientChangeKind, 'RETURN'>,
  standing: ChargedStanding,
  reply: ReplyRow | undefined,
): May {
  const { row } = standing;
  if (change === 'REFUSE') {
    if (isTerminal(row.state)) return { change, allowed: false, until: null, code: 'TOO_LATE' };
    const isRefused = (reply?.refusedAt ?? null) !== null;
    return { change, allowed: !isRefused, until: 'END', code: isRefused ? 'LIMIT_REACHED' : null };
  }
  const asker = { actor: 'RECIPIENT', permissions: [change] } as const;
  const names = AMENDMENT_CHANGES.filter((name) => CHANGE_RULES[name].recipient === change && !isSmall(name));
  const objections = names.map((name) => objectionTo(name, standing, asker));
  const index = objections.indexOf(undefined);
  const [first = 'TOO_LATE'] = objections;
  const [firstName] = names;
  if (index < 0) return { change, allowed: false, until: null, code: first };
  const until = CHANGE_RULES[names[index] ?? firstName ?? 'PLACE'].until;
  return { change, allowed: true, until, code: null };
}

/** A pin within the free metres may be moved until the end, but the page cannot show how far that is. */
function isSmall(change: AmendmentChange): boolean {
  return change === 'LOCATION_NEARBY';
}

/** What the recipient has said, for the merchant. */
export async function readReply(
  { database, clock }: { readonly database: Database; readonly clock: { readonly now: () => Instant } },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<RecipientReply>> {
  const found = await database.readAll([replyOf(scope, shipmentId), returnMadeSince(scope, shipmentId)] as const);
  if (!found.ok) return unavailable();
  const [[reply], made] = found.results;
  const now = clock.now();
  if (reply !== undefined)
    return ok({
      confirmedAt: instantOrNull(reply.confirmedAt),
      refusal: refusalIn(reply),
      returnRequest: presentReturn({ reply, isMade: made.length > 0 }, now),
    });
  // Nothing was said, or the company does not have this shipment.
  const shipment = await readShipment(database, scope, shipmentId);
  return shipment.ok ? ok({ confirmedAt: null, refusal: null, returnRequest: null }) : shipment;
}

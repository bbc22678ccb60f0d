import { type Objection, unless } from '../../rules/promises.ts';
import type { CaseFile } from './evidence.ts';
import type { EventRow, ShipmentRow, StepRow } from './rows.ts';

/*
 * The parts that are written with the end of a shipment: what was collected, what proves it, and what becomes of the parcel.
 * Each is there once or not at all, whichever of the driver's requests made the end.
 */

const EVENTS_OF_ENDS = ['cod.collected', 'case.opened'];

/** Whether events of this type come with the end of a shipment, and have no step of history of their own. */
export function isOfAnEnd(type: string): boolean {
  return EVENTS_OF_ENDS.includes(type);
}

export function endRules(file: CaseFile): Objection[] {
  const { rows } = file;
  const of = <Row extends { readonly shipment_id: string }>(all: readonly Row[]) =>
    Map.groupBy(all, ({ shipment_id: id }) => id);
  const [collections, proofs] = [of(rows.collections), of(rows.proofs)];
  const [resolutions, complaints] = [of(rows.resolutions), of(rows.complaints)];
  const signed = new Set(file.calls.flatMap((call) => (call.isSigned ? call.correlationId : [])));
  const events = Map.groupBy(rows.events, ({ shipment_id: id }) => id);
  return rows.shipments.flatMap((row): Objection[] => {
    const { id } = row;
    const end = file.steps.get(id)?.at(-1);
    if (end === undefined) return [];
    const told = (type: string) => toldOf(events.get(id) ?? [], type, end);
    const owed = owedAt(row, end, signed.has(end.correlation_id));
    const collected = collections.get(id) ?? [];
    const texts = (found: readonly { readonly kind: string }[] = []) => found.map(({ kind }) => kind).join();
    const opened = (resolutions.get(id) ?? []).map(({ state }) => state).join();
    const sums = collected.map(({ amount, shipment_version: version }) => `${amount} at ${version}`).join();
    return [
      ...differs('collected', row, sums, owed.collected),
      ...differs('collected', row, told('cod.collected'), owed.collected === '' ? '' : 'with the end'),
      ...differs('proven', row, texts(proofs.get(id)), owed.proof),
      ...differs('resolved', row, opened, owed.resolution),
      ...differs('complaint', row, texts(complaints.get(id)), owed.complaint),
      ...differs('complaint', row, told('case.opened'), owed.complaint === '' ? '' : 'with the end'),
    ];
  });
}

interface Owed {
  readonly collected: string;
  readonly proof: string;
  readonly resolution: string;
  readonly complaint: string;
}

const NOTHING: Owed = { collected: '', proof: '', resolution: '', complaint: '' };

/** Drivers lose parcels or report that recipients refused them; nothing else fails in this load. */
function owedAt({ cod_amount: amount, version }: ShipmentRow, end: StepRow, isSigned: boolean): Owed {
  if (end.state === 'DELIVERED') {
    const collected = Number(amount) === 0 ? '' : `${amount} at ${version}`;
    return { ...NOTHING, collected, proof: isSigned ? 'DELIVERY' : '' };
  }
  if (end.state !== 'DELIVERY_FAILED') return NOTHING;
  if (end.reason_code === 'LOST') return { ...NOTHING, complaint: 'LOST' };
  return { ...NOTHING, proof: 'ATTEMPT', resolution: 'OPEN' };
}

/** How the events of a type came: `with the end`, once and by the same request, or what is wrong. */
function toldOf(events: readonly EventRow[], type: string, end: StepRow): string {
  const found = events.filter((event) => event.type === type);
  return found.map(({ correlation_id: id }) => (id === end.correlation_id ? 'with the end' : 'apart')).join();
}

function differs(rule: Objection['rule'], { id, state }: ShipmentRow, found: string, owed: string): Objection[] {
  return unless(found === owed, rule, () => `${state} ${id} has "${found}" instead of "${owed}"`, id);
}

import { PROOF_KINDS, type ProofKind } from '../contract/proof-state.ts';
import type { FailureReason } from '../contract/shipment-state.ts';
import { keepDraft, readDraft } from '../ui/browser/kit/kept-draft.ts';
import type { CallFailure } from '../ui/browser/service/failure.ts';

/** What the driver was doing. It survives a reload and a change of the language. */
interface Step {
  /** The parcel that the driver chose. */
  readonly chosen?: string | undefined;
  /** The parcel whose cash the driver has received, and the amount. */
  readonly paid?: string | undefined;
  /** The parcel that the driver reports a problem with. */
  readonly trouble?: string | undefined;
  readonly reasonCode?: FailureReason | undefined;
  /** The step whose label the driver compares, or has found to be right. */
  readonly label?: { readonly of: string; readonly stage: 'open' | 'right' | undefined };
  /** What the service still asked for when it refused a delivery, by parcel. */
  readonly asked?: Readonly<Record<string, readonly ProofKind[]>>;
  /** When the driver last tapped to call the recipient of a parcel, by the phone's clock in milliseconds. */
  readonly called?: Readonly<Record<string, number>>;
  /** When the service took a failure of a parcel, by its clock in milliseconds. */
  readonly failed?: Readonly<Record<string, number>>;
}

const NAME = 'driver-step';

export function readStep(): Step {
  return readDraft<Step>(NAME)?.draft ?? {};
}

export function keepStep(change: Step): void {
  keepDraft(NAME, { ...readStep(), ...change });
}

/** What a delivery lacks by the last answer of the service; undefined if it was not refused. */
export function askedOf(shipmentId: string): readonly ProofKind[] | undefined {
  return readStep().asked?.[shipmentId];
}

export function keepAsked(shipmentId: string, kinds: readonly ProofKind[]): void {
  keepStep({ asked: { ...readStep().asked, [shipmentId]: kinds } });
}

/** The kinds of proof that a refusal names. */
export function missingOf({ problem }: CallFailure): readonly ProofKind[] {
  const missing: unknown = problem?.['missing'];
  return Array.isArray(missing) ? PROOF_KINDS.filter((kind) => missing.includes(kind)) : [];
}

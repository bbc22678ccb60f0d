import type { CallFailure } from '../ui/browser/service/failure.ts';
import type { LostParcel } from './kept-parcels.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork, Refused } from './use-work.ts';
import { words } from './words.ts';

interface LostProps {
  readonly parcel: LostParcel;
  /** The driver's actions on it that the service refused. */
  readonly refused: readonly Refused[];
  readonly heading: 'h1' | 'h2' | 'h3';
  readonly understand: DriverWork['understand'];
}

/** A parcel that the shop has cancelled or an operator has taken away: it keeps its place until the driver knows. */
export function Lost({ parcel, refused, heading: Heading, understand }: LostProps) {
  const { shipmentId, shipmentNumber, addressLine, why } = parcel;
  return (
    <section class="lost" aria-label={words.lost[why]}>
      <Heading>{words.lost[why]}</Heading>
      <p>
        <s>
          <bdi dir="ltr">{shipmentNumber}</bdi>
        </s>
      </p>
      {addressLine === null ? null : (
        <p class="address">
          <s>
            <bdi>{addressLine}</bdi>
          </s>
        </p>
      )}
      {refused.map((one) => (
        <RefusedAction key={one.action.actionId} refused={one} />
      ))}
      <TapButton does={`understand ${shipmentId}`} onTap={() => understand(shipmentId)}>
        {words.dismiss}
      </TapButton>
    </section>
  );
}

/** What the driver reported and the service did not accept, and why. The driver tells the operators its number. */
export function RefusedAction({ refused: { action, failure } }: { readonly refused: Refused }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>
          {words.refused} {words[action.action]}
        </strong>
      </p>
      <p>{reasonOf(failure)}</p>
      {failure.requestId === undefined ? null : (
        <p class="small quiet">
          {words.request} <bdi dir="ltr">{failure.requestId}</bdi>
        </p>
      )}
    </div>
  );
}

/** A failure needs an arrival at the door first. */
export function isArrivalMissing({ failure: { problem } }: Refused): boolean {
  const missing: unknown = problem?.['missing'];
  return Array.isArray(missing) && missing.includes('ARRIVAL');
}

const SECONDS_PER_MINUTE = 60;

/** What a refusal means for the driver. Texts of the service are for programs, so only their titles are shown. */
export function reasonOf({ code, title, problem, violations }: CallFailure): string {
  const seconds = problem?.['waitSeconds'] ?? problem?.retryAfterSeconds;
  const minutes = typeof seconds === 'number' ? words.minutesLeft(Math.ceil(seconds / SECONDS_PER_MINUTE)) : '';
  const missing = problem?.['missing'];
  if (Array.isArray(missing)) {
    const names: Readonly<Record<string, string>> = words.missing;
    return sentences(...missing.map((name) => names[String(name)]), minutes);
  }
  const left = problem?.['attemptsRemaining'];
  if (typeof left === 'number') return words.wrongPin(left);
  const known: Readonly<Record<string, string>> = words.reasons;
  const violation = violations.map((one) => known[one.code]).find((text) => text !== undefined);
  return sentences(violation ?? known[code] ?? `${title}.`, minutes);
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

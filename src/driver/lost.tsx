import { ProblemNotice } from '../ui/browser/kit/problem-notice.tsx';
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
        <p class="address" dir="auto">
          <s>{addressLine}</s>
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

/** What the driver reported and the service did not accept, and why. */
export function RefusedAction({ refused: { action, failure } }: { readonly refused: Refused }) {
  return (
    <>
      <p class="wrong">
        {words.refused} {words[action.action]}
      </p>
      <ProblemNotice failure={failure} />
    </>
  );
}

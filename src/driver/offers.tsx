import { useNow } from '../ui/browser/base/company-clock.ts';
import { formatDistance } from '../ui/browser/base/locale.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork, Offer } from './use-work.ts';
import { words } from './words.ts';

type OffersProps = Pick<DriverWork, 'offers' | 'actions' | 'now' | 'act'>;

/** Open offers, the newest last, with the time that is left. An offer that was answered without a connection says that it waits. */
export function Offers({ offers, actions, now, act }: OffersProps) {
  const time = useNow(now);
  const open = offers.filter(({ expiresAt }) => Date.parse(expiresAt) > time);
  if (open.length === 0) return null;
  return (
    <section class="offers" aria-labelledby="offers">
      <h2 id="offers">{words.offers}</h2>
      {open.map((offer) => (
        <OfferCard
          key={offer.offerId}
          offer={offer}
          secondsLeft={Math.ceil((Date.parse(offer.expiresAt) - time) / 1000)}
          isAnswered={actions.some(({ shipmentId }) => shipmentId === offer.shipmentId)}
          act={act}
        />
      ))}
    </section>
  );
}

interface OfferCardProps {
  readonly offer: Offer;
  readonly secondsLeft: number;
  readonly isAnswered: boolean;
  readonly act: DriverWork['act'];
}

function OfferCard({ offer, secondsLeft, isAnswered, act }: OfferCardProps) {
  const { offerId, shipmentId, pickup, destinationCityCode, distanceMeters, totalWeightKilograms } = offer;
  return (
    <article class="offer">
      <p class="address" dir="auto">
        {pickup.addressLine}
      </p>
      <p>
        <bdi dir="ltr">{destinationCityCode}</bdi> · <bdi>{formatDistance(distanceMeters)}</bdi> ·{' '}
        <bdi>{words.kilograms(totalWeightKilograms)}</bdi>
      </p>
      {isAnswered ? (
        <p class="quiet">{words.accepting}</p>
      ) : (
        <>
          <p class="left">{words.secondsLeft(secondsLeft)}</p>
          <div class="answers">
            <TapButton kind="primary" does={`ACCEPT ${offerId}`} onTap={() => act({ shipmentId, action: 'ACCEPT' })}>
              {words.ACCEPT}
            </TapButton>
            <TapButton does={`DECLINE ${offerId}`} onTap={() => act({ shipmentId, action: 'DECLINE' })}>
              {words.DECLINE}
            </TapButton>
          </div>
        </>
      )}
    </article>
  );
}

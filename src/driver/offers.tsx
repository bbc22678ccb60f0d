import { cityName } from '../core/names.ts';
import { formatDistance, formatMoney, formatRange, locale } from '../ui/browser/base/locale.ts';
import { Window } from './place.tsx';
import { TapButton } from './tap-button.tsx';
import type { DriverWork, Offer } from './use-work.ts';
import { words } from './words.ts';

interface OffersProps extends Pick<DriverWork, 'actions' | 'act'> {
  readonly offers: readonly Offer[];
  readonly nowMs: number;
}

/** Open offers by pickup, the newest last, with what one way brings. */
export function Offers({ offers, actions, nowMs, act }: OffersProps) {
  return (
    <>
      {groupsOf(offers).map((group) => (
        <Group key={group[0]?.offerId} group={group} actions={actions} nowMs={nowMs} act={act} />
      ))}
    </>
  );
}

/** Parcels of one merchant at one place. A new offer comes last in its group, and a new group last, so that nothing slides under a finger. */
function groupsOf(offers: readonly Offer[]): readonly (readonly Offer[])[] {
  const groups = new Map<string, Offer[]>();
  for (const offer of offers) {
    const { latitude, longitude } = offer.pickup;
    const place = `${latitude} ${longitude} ${offer.merchantName}`;
    groups.set(place, [...(groups.get(place) ?? []), offer]);
  }
  return [...groups.values()];
}

interface GroupProps extends Pick<OffersProps, 'actions' | 'nowMs' | 'act'> {
  readonly group: readonly Offer[];
}

function Group({ group, actions, nowMs, act }: GroupProps) {
  const [first] = group;
  if (first === undefined) return null;
  const isAnswered = (offer: Offer) => actions.some(({ shipmentId }) => shipmentId === offer.shipmentId);
  const open = group.filter((offer) => !isAnswered(offer));
  const name = words.nameOf(first) ?? first.pickup.addressLine;
  return (
    <section class="offer">
      <div class="from">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p class="small">
          {first.merchantName === undefined ? null : (
            <>
              <bdi>{first.merchantName}</bdi> ·{' '}
            </>
          )}
          {words.pickupFrom} <bdi>{formatRange(first.pickupWindowStart, first.pickupWindowEnd)}</bdi>
        </p>
        {open.length === 0 ? null : (
          <TapButton
            kind="primary"
            does={`ACCEPT ${open.map(({ offerId }) => offerId).join(' ')}`}
            onTap={() => {
              for (const { shipmentId } of open) act({ shipmentId, action: 'ACCEPT' });
            }}
          >
            {open.length === 1 ? words.ACCEPT : words.acceptAll(open.length)}
          </TapButton>
        )}
      </div>
      {group.map((offer) => (
        <OfferRow
          key={offer.offerId}
          offer={offer}
          nowMs={nowMs}
          isAnswered={isAnswered(offer)}
          isOnly={open.length === 1}
          act={act}
        />
      ))}
    </section>
  );
}

interface OfferRowProps extends Pick<OffersProps, 'nowMs' | 'act'> {
  readonly offer: Offer;
  readonly isAnswered: boolean;
  /** The button of its group accepts it. */
  readonly isOnly: boolean;
}

/** An offer that was answered without a connection says that it waits. */
function OfferRow({ offer, nowMs, isAnswered, isOnly, act }: OfferRowProps) {
  const { offerId, shipmentId, destinationCityCode, destinationDistrict, distanceMeters, deliveryWindow } = offer;
  const { totalWeightKilograms, codAmount = '0', currency = '', expiresAt } = offer;
  return (
    <article class="way">
      <p>
        <b>
          <bdi>{destinationDistrict ?? cityName(destinationCityCode, locale)}</bdi>
        </b>{' '}
        · <bdi>{formatDistance(distanceMeters)}</bdi> ·{' '}
        {Number(codAmount) === 0 ? (
          <bdi>{words.kilograms(totalWeightKilograms)}</bdi>
        ) : (
          <bdi dir="ltr">{formatMoney(codAmount, currency)}</bdi>
        )}
      </p>
      <Window window={deliveryWindow} />
      {isAnswered ? (
        <p class="quiet">{words.accepting}</p>
      ) : (
        <div class="answers">
          <span class="left">{words.secondsLeft(Math.ceil((Date.parse(expiresAt) - nowMs) / 1000))}</span>
          <TapButton does={`DECLINE ${offerId}`} onTap={() => act({ shipmentId, action: 'DECLINE' })}>
            {words.DECLINE}
          </TapButton>
          {isOnly ? null : (
            <TapButton does={`ACCEPT ${offerId}`} onTap={() => act({ shipmentId, action: 'ACCEPT' })}>
              {words.ACCEPT}
            </TapButton>
          )}
        </div>
      )}
    </article>
  );
}

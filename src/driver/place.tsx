import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney, formatRange } from '../ui/browser/base/locale.ts';
import { keepStep, readStep } from './kept-step.ts';
import { isApple, mapLink } from './map-link.ts';
import type { Parcel } from './queue.ts';
import { TapButton } from './tap-button.tsx';
import { words } from './words.ts';

/** The place that the driver goes to, with its contact and its instructions. */
export function Pickup({ parcel }: { readonly parcel: Parcel }) {
  const { pickup, pickupContact, pickupInstructions } = parcel;
  return (
    <div class="place">
      <PickupName parcel={parcel} />
      <Address place={pickup} />
      <div class="ways">
        <Call name={pickupContact?.name ?? null} phone={pickupContact?.phone ?? null} />
        <OpenMap place={pickup} />
      </div>
      <Told>{pickupInstructions}</Told>
    </div>
  );
}

/** The name of the pickup location in the language of the page, and the merchant. */
function PickupName({ parcel }: { readonly parcel: Pick<Parcel, 'merchantName' | 'pickupName' | 'pickupNameAr'> }) {
  const name = words.nameOf(parcel);
  const { merchantName } = parcel;
  if (name === undefined && merchantName === undefined) return null;
  return (
    <p>
      {name === undefined ? null : (
        <b>
          <bdi>{name}</bdi>
        </b>
      )}
      {name === undefined || merchantName === undefined ? null : ' · '}
      {merchantName === undefined ? null : <bdi>{merchantName}</bdi>}
    </p>
  );
}

export function Recipient({ parcel }: { readonly parcel: Parcel }) {
  const { destination, recipientName, recipientPhone, alternateContact, place, instructions, refusedAt } = parcel;
  return (
    <div class="place">
      {refusedAt === null ? null : (
        <p class="changed" role="status">
          {words.recipientRefused}
        </p>
      )}
      <Address place={destination} />
      <div class="ways">
        <Call name={recipientName} phone={recipientPhone} about={parcel.shipmentId} />
        <OpenMap place={destination} />
      </div>
      {place === null ? null : (
        <p>
          {words.leave[place.kind]}
          {place.note === null ? null : (
            <>
              : <bdi>{place.note}</bdi>
            </>
          )}
        </p>
      )}
      <Told>{instructions}</Told>
      {alternateContact === null ? null : (
        <div class="ways">
          <Call
            name={alternateContact.name ?? words.alternate}
            phone={alternateContact.phone}
            about={parcel.shipmentId}
          />
        </div>
      )}
    </div>
  );
}

/** Isolated, so that an address of Latin letters begins where the Arabic text does, and reads in its own direction. */
function Address({ place }: { readonly place: Parcel['pickup'] }) {
  if (place === null) return <p class="quiet">{words.notYet}</p>;
  return (
    <p class="address">
      <bdi>{place.addressLine}</bdi>
    </p>
  );
}

function Told({ children }: { readonly children: string | null }) {
  if (children === null) return null;
  return (
    <p>
      <bdi>{children}</bdi>
    </p>
  );
}

function OpenMap({ place }: { readonly place: Parcel['pickup'] }) {
  if (place === null) return null;
  return (
    <a class="button" href={mapLink(place, isApple(navigator))}>
      {words.map}
    </a>
  );
}

interface CallProps {
  readonly name: string | null;
  readonly phone: string | null;
  /** The parcel whose recipient it calls: an attempt that fails says when. */
  readonly about?: string;
}

function Call({ name, phone, about }: CallProps) {
  if (phone === null)
    return name === null ? null : (
      <p>
        <bdi>{name}</bdi>
      </p>
    );
  return (
    <a
      class="button"
      href={`tel:${phone}`}
      onClick={() =>
        about === undefined ? undefined : keepStep({ called: { ...readStep().called, [about]: Date.now() } })
      }
    >
      <span>
        {words.call} {name === null ? <bdi dir="ltr">{phone}</bdi> : <bdi>{name}</bdi>}
      </span>
    </a>
  );
}

/** When the recipient wants the parcel, in Riyadh time. */
export function Window({ window }: { readonly window: Parcel['deliveryWindow'] }) {
  if (window === null) return null;
  const { start, end, status } = window;
  return (
    <p class="window">
      {words.window[status]} <bdi>{formatRange(start, end)}</bdi>
    </p>
  );
}

export function hasCash({ paymentMethod, codAmount }: Parcel): boolean {
  return paymentMethod === 'COD' && Number(codAmount) !== 0;
}

export function Cash({ parcel }: { readonly parcel: Parcel }) {
  const { codAmount, currency } = parcel;
  if (!hasCash(parcel)) return null;
  return (
    <p class="cash">
      {words.collect}: <bdi dir="ltr">{formatMoney(codAmount, currency)}</bdi>
    </p>
  );
}

interface CashFirstProps {
  readonly parcel: Parcel;
  /** The step after the money. */
  readonly children: ComponentChildren;
}

/** First the money, then the parcel. Another amount has to be received anew. */
export function CashFirst({ parcel, children }: CashFirstProps) {
  const { shipmentId, codAmount: amount, currency } = parcel;
  const received = `${shipmentId} ${amount}`;
  const [isPaid, setIsPaid] = useState(readStep().paid === received);
  if (isPaid || !hasCash(parcel)) return <>{children}</>;
  const take = () => {
    setIsPaid(true);
    keepStep({ paid: received });
  };
  return (
    <TapButton kind="primary" does={`receive ${amount} ${shipmentId}`} onTap={take}>
      {words.received} <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>
    </TapButton>
  );
}

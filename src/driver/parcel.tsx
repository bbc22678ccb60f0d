import { useState } from 'preact/hooks';
import type { FailureReason } from '../contract/shipment-state.ts';
import { formatMoney, locale } from '../ui/browser/base/locale.ts';
import { failureReasons } from '../ui/browser/driver-actions.ts';
import { FAILURE_WORDS } from '../ui/browser/failure-words.ts';
import { Choice } from '../ui/browser/kit/field.tsx';
import { nextAction, type Parcel, type Task } from './queue.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork } from './use-work.ts';
import { words } from './words.ts';

interface CurrentParcelProps {
  readonly task: Task;
  readonly act: DriverWork['act'];
}

/** The parcel that the driver works on: the next step, its place, a phone number, and one large button. */
export function CurrentParcel({ task, act }: CurrentParcelProps) {
  const { parcel, state } = task;
  const { shipmentId, shipmentNumber } = parcel;
  const action = nextAction(task);
  const isAtPickup = state === 'ACCEPTED';
  return (
    <section class="task" aria-labelledby="task">
      <h1 id="task">
        <span key={headingOf(task)}>{headingOf(task)}</span>
      </h1>
      <p class="quiet">
        <bdi dir="ltr">{shipmentNumber}</bdi>
      </p>
      <Changes task={task} act={act} />
      <Cash parcel={parcel} />
      {isAtPickup ? <Pickup parcel={parcel} /> : <Recipient parcel={parcel} />}
      <Items parcel={parcel} />
      <div class="thumb">
        <TapButton kind="primary" does={`${action} ${shipmentId}`} onTap={() => act({ shipmentId, action })}>
          {words[action]}
        </TapButton>
      </div>
      <Trouble key={`${shipmentId} ${state}`} task={task} act={act} />
    </section>
  );
}

/** What the shop has changed since the driver accepted. A driver who has the parcel confirms to have read it. */
function Changes({ task, act }: CurrentParcelProps) {
  const { parcel, state, unread } = task;
  const { shipmentId } = parcel;
  const last = unread.at(-1);
  if (last === undefined) return null;
  const names = new Set(unread.flatMap(({ changes }) => changes));
  const { version } = last;
  return (
    <div class="changed" role="status">
      <h2>{words.changed}</h2>
      <ul>
        {[...names].map((name) => (
          <li key={name}>{words.changes[name]}</li>
        ))}
      </ul>
      {state === 'ACCEPTED' ? null : (
        <TapButton
          does={`ACKNOWLEDGE ${version} ${shipmentId}`}
          onTap={() => act({ shipmentId, action: 'ACKNOWLEDGE', version })}
        >
          {words.ACKNOWLEDGE}
        </TapButton>
      )}
    </div>
  );
}

/** What the driver has to do next with a parcel. */
export function headingOf({ state, hasArrived }: Task): string {
  if (state === 'PICKED_UP') return words.withYou;
  if (state === 'ACCEPTED') return hasArrived ? words.atPickup : words.toPickup;
  return hasArrived ? words.atDoor : words.toDoor;
}

function Cash({ parcel: { paymentMethod, codAmount, currency } }: { readonly parcel: Parcel }) {
  if (paymentMethod !== 'COD' || Number(codAmount) === 0) return null;
  return (
    <p class="cash">
      {words.collect}: <bdi dir="ltr">{formatMoney(codAmount, currency)}</bdi>
    </p>
  );
}

function Pickup({ parcel: { pickup, pickupContact, pickupInstructions } }: { readonly parcel: Parcel }) {
  return (
    <div class="place">
      <h2>{words.pickup}</h2>
      <Address place={pickup} />
      {pickupInstructions === null ? null : <p dir="auto">{pickupInstructions}</p>}
      <Call name={pickupContact?.name ?? null} phone={pickupContact?.phone ?? null} />
    </div>
  );
}

function Recipient({
  parcel: { destination, recipientName, recipientPhone, alternateContact, place, instructions },
}: {
  readonly parcel: Parcel;
}) {
  return (
    <div class="place">
      <h2>{words.recipient}</h2>
      <Address place={destination} />
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
      {instructions === null ? null : <p dir="auto">{instructions}</p>}
      <Call name={recipientName} phone={recipientPhone} />
      {alternateContact === null ? null : (
        <Call name={alternateContact.name ?? words.alternate} phone={alternateContact.phone} />
      )}
    </div>
  );
}

function Address({ place }: { readonly place: Parcel['pickup'] }) {
  if (place === null) return <p class="quiet">{words.notYet}</p>;
  const { addressLine, latitude, longitude } = place;
  const point = `${latitude},${longitude}`;
  return (
    <>
      <p class="address" dir="auto">
        {addressLine}
      </p>
      <p>
        {/* RFC 5870; the query is what map apps for Android search for. */}
        <a class="button" href={`geo:${point}?q=${point}(${encodeURIComponent(addressLine)})`}>
          {words.map}
        </a>
      </p>
    </>
  );
}

function Call({ name, phone }: { readonly name: string | null; readonly phone: string | null }) {
  if (phone === null) return name === null ? null : <p dir="auto">{name}</p>;
  return (
    <p>
      <a class="button" href={`tel:${phone}`}>
        <span>
          {words.call} {name === null ? <bdi dir="ltr">{phone}</bdi> : <bdi>{name}</bdi>}
        </span>
      </a>
    </p>
  );
}

function Items({ parcel: { items } }: { readonly parcel: Parcel }) {
  if (items === null) return null;
  return (
    <details>
      <summary>{words.items}</summary>
      <ul>
        {items.map(({ description, quantity }, index) => (
          <li key={`${index} ${description}`}>
            <bdi dir="ltr">{quantity} ×</bdi> <bdi>{description}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The way out: before the pickup the parcel goes back to dispatch, afterwards the delivery fails for a reason. */
function Trouble({ task: { parcel, state }, act }: CurrentParcelProps) {
  const { shipmentId } = parcel;
  const reasons = failureReasons(state);
  const [reasonCode, setReason] = useState<FailureReason>(reasons[0] ?? 'OTHER');
  return (
    <details class="trouble">
      <summary>{words.more}</summary>
      {state === 'ACCEPTED' ? (
        <TapButton kind="danger" does={`RELEASE ${shipmentId}`} onTap={() => act({ shipmentId, action: 'RELEASE' })}>
          {words.RELEASE}
        </TapButton>
      ) : (
        <>
          <Choice
            label={words.why}
            value={reasonCode}
            options={reasons.map((value) => ({ value, label: FAILURE_WORDS[value][locale] }))}
            onChange={setReason}
          />
          <TapButton
            kind="danger"
            does={`FAIL ${reasonCode} ${shipmentId}`}
            onTap={() => act({ shipmentId, action: 'FAIL', reasonCode })}
          >
            {words.FAIL}
          </TapButton>
        </>
      )}
    </details>
  );
}

import { isTerminal } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { STATE_WORDS } from '../../ui/state.tsx';
import { formatTime, locale, textsOf } from '../base/locale.ts';
import { addressOf, Link } from '../base/navigation.tsx';
import { Skeleton } from '../kit/loading.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { Code, Copy } from '../kit/text.tsx';
import { type Outputs, service } from '../service/calls.ts';
import type { CallFailure } from '../service/failure.ts';
import { useEvery, useLoaded } from '../service/loading.ts';
import { Actions } from './actions.tsx';
import { Pictures } from './pictures.tsx';
import { ChargeTable } from './price.tsx';
import { curlText, restJson } from './rest-text.ts';
import { RouteDrawing } from './route-drawing.tsx';
import { ShipmentFacts, Timeline } from './shipment-facts.tsx';
import { TrackingLinks } from './tracking-links.tsx';

export interface WholeShipment {
  readonly shipment: Outputs['shipments']['get'];
  readonly tracking: Outputs['shipments']['tracking'];
  readonly charges: Outputs['shipments']['charges'];
  readonly timeline: Outputs['shipments']['timeline'];
}

const REFRESH_MS = 4_000;
/** A shipment has about ten events, and more if drivers return it. */
const TIMELINE_ENTRIES = 100;
const TEXTS = {
  en: {
    all: 'All shipments',
    title: 'Shipment',
    number: 'Number',
    eta: 'Expected arrival',
    driver: 'Driver',
    offers: (count: number) => `Offers made: ${count}`,
    rating: 'Rating of the recipient',
    stars: (count: number) => `${count} of 5`,
    held: 'This shipment is held. It is not offered to any driver until it is released.',
    route: 'Route',
    timeline: 'Timeline',
    charges: 'Charges',
    heldFrom: 'Price held from',
    until: 'until',
    lock: 'Lock',
    updated: 'Last change',
  },
  ar: {
    all: 'كل الشحنات',
    title: 'الشحنة',
    number: 'الرقم',
    eta: 'الموعد المتوقع',
    driver: 'السائق',
    offers: (count: number) => `عدد العروض على السائقين: ${count}`,
    rating: 'تقييم المستلم',
    stars: (count: number) => `${count} من 5`,
    held: 'هذه الشحنة معلّقة. لن تُعرض على أي سائق حتى يُلغى تعليقها.',
    route: 'المسار',
    timeline: 'التسلسل الزمني',
    charges: 'الرسوم',
    heldFrom: 'السعر مثبَّت من',
    until: 'حتى',
    lock: 'رقم التثبيت',
    updated: 'آخر تغيير',
  },
};

/** The page of a shipment: its state, actions, route, timeline, charges and tracking links. */
export function ShipmentPage({
  shipmentId,
  deployment,
}: {
  readonly shipmentId: string;
  readonly deployment: Deployment;
}) {
  const text = textsOf(TEXTS);
  const { value, failure, reload } = useLoaded(shipmentId, () => readWhole(shipmentId));
  useEvery(REFRESH_MS, reload, value !== undefined && failure === undefined && !isTerminal(value.shipment.state));
  if (value === undefined && failure === undefined) return <Skeleton lines={8} />;
  if (value === undefined) return <NotShown failure={failure} retry={reload} />;
  const { shipment, tracking, charges, timeline } = value;
  const { priceLock } = charges;
  return (
    <>
      <p class="overline">
        <Link to={addressOf('shipments')}>{text.all}</Link>
      </p>
      <StateFirst whole={value} />
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      <Actions shipment={shipment} deployment={deployment} onChanged={reload} />
      <div class="halves">
        <section>
          <h2>{text.route}</h2>
          <RouteDrawing pickup={shipment.pickup} destination={shipment.destination} driver={tracking.livePosition} />
          <ShipmentFacts shipment={shipment} />
        </section>
        <section>
          <h2>{text.timeline}</h2>
          <Timeline entries={timeline.data} />
          <h2>{text.charges}</h2>
          <ChargeTable charges={charges} />
          {priceLock === null ? null : (
            <p class="small quiet">
              {text.heldFrom} {formatTime(priceLock.lockedAt)} {text.until} {formatTime(priceLock.expiresAt)} ·{' '}
              {text.lock} <bdi dir="ltr">{priceLock.lockId}</bdi>
            </p>
          )}
        </section>
      </div>
      <TrackingLinks shipmentId={shipmentId} isOver={isTerminal(shipment.state)} />
      {shipment.externalReference === null ? null : <Pictures externalReference={shipment.externalReference} />}
      <AsCode shipment={shipment} />
    </>
  );
}

/** Shown if the shipment does not exist, belongs to another company, or could not be loaded. */
function NotShown({ failure, retry }: { readonly failure: CallFailure | undefined; readonly retry: () => void }) {
  const text = textsOf(TEXTS);
  return (
    <>
      <p class="overline">
        <Link to={addressOf('shipments')}>{text.all}</Link>
      </p>
      <h1>{text.title}</h1>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={retry} />}
    </>
  );
}

/** The client sends these calls in one request. */
async function readWhole(shipmentId: string): Promise<WholeShipment> {
  const [shipment, tracking, charges, timeline] = await Promise.all([
    service.shipments.get.query({ shipmentId }),
    service.shipments.tracking.query({ shipmentId }),
    service.shipments.charges.query({ shipmentId }),
    service.shipments.timeline.query({ shipmentId, limit: TIMELINE_ENTRIES }),
  ]);
  return { shipment, tracking, charges, timeline };
}

function StateFirst({ whole: { shipment, tracking, timeline } }: { readonly whole: WholeShipment }) {
  const text = textsOf(TEXTS);
  const { label, tone } = STATE_WORDS[shipment.state];
  const last = timeline.data.at(-1);
  return (
    <header class={`state ${tone}`}>
      <h1>
        <span aria-live="polite">{label[locale]}</span>
      </h1>
      <p>
        <bdi dir="ltr">{shipment.shipmentNumber}</bdi> <Copy text={shipment.shipmentNumber} what={text.number} />
        <br />
        <bdi class="reference">{shipment.externalReference}</bdi>
      </p>
      <ul class="facts-line">
        {last === undefined ? null : (
          <li>
            <span class="quiet">{text.updated}</span>{' '}
            <time dateTime={last.occurredAt}>{formatTime(last.occurredAt)}</time>
          </li>
        )}
        <ExpectedArrival tracking={tracking} />
        {tracking.driver === null ? null : (
          <li>
            <span class="quiet">{text.driver}</span> <bdi>{tracking.driver.firstName}</bdi>
          </li>
        )}
        {tracking.rating === undefined ? null : (
          <li>
            <span class="quiet">{text.rating}</span> {text.stars(tracking.rating.stars)}
          </li>
        )}
        {tracking.dispatch.offersMade === 0 ? null : <li class="quiet">{text.offers(tracking.dispatch.offersMade)}</li>}
      </ul>
      {tracking.dispatch.phase === 'HELD' ? <p class="notice">{text.held}</p> : null}
    </header>
  );
}

/** A range while the driver's position is known, and one time before. */
function ExpectedArrival({ tracking: { eta, arrival } }: Pick<WholeShipment, 'tracking'>) {
  if (eta === null) return null;
  return (
    <li>
      <span class="quiet">{textsOf(TEXTS).eta}</span>{' '}
      {arrival === null ? null : (
        <>
          <time dateTime={arrival.from}>{formatTime(arrival.from)}</time> –{' '}
        </>
      )}
      <time dateTime={eta}>{formatTime(eta)}</time>
    </li>
  );
}

const AS_CODE_TEXTS = {
  en: { title: 'API', json: 'JSON', curl: 'curl', requests: 'Requests about this shipment' },
  ar: { title: 'واجهة البرمجة', json: 'JSON', curl: 'curl', requests: 'الطلبات المتعلقة بهذه الشحنة' },
};

/** The shipment as JSON, and the curl command that reads it. */
function AsCode({ shipment }: { readonly shipment: Outputs['shipments']['get'] }) {
  const text = textsOf(AS_CODE_TEXTS);
  const path = `/v2/external/shipments/${shipment.shipmentId}`;
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <Tabs
        label={text.title}
        tabs={[
          { name: text.json, content: () => <Code text={restJson(shipment)} what={text.json} /> },
          { name: text.curl, content: () => <Code text={curlText({ method: 'GET', path })} what={text.curl} /> },
        ]}
      />
      <p>
        <Link to={addressOf('requests', { shipmentId: shipment.shipmentId })}>{text.requests}</Link>
      </p>
    </section>
  );
}

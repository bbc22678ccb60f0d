import { useState } from 'preact/hooks';
import { isTerminal, type ShipmentState } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, trailHere } from '../../ui/browser/base/navigation.tsx';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { lazy, NotShown, Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Copy } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { STATE_WORDS } from '../../ui/state.tsx';
import { Actions } from './actions.tsx';
import { CaseSection } from './case-section.tsx';
import type { CaseSummary } from './case-words.tsx';
import { DeliveryWindow } from './delivery-window.tsx';
import { FirstLink, isJustCreated } from './first-link.tsx';
import { NationalAddressSection, needsCode } from './national-address.tsx';
import { Pictures } from './pictures.tsx';
import { ChargeTable } from './price.tsx';
import { noteText } from './reason-text.ts';
import { RecipientSection } from './recipient-section.tsx';
import { RouteDrawing } from './route-drawing.tsx';
import type { Dispatch } from './search-words.ts';
import { type Cod, ShipmentFacts } from './shipment-facts.tsx';
import { Timeline } from './timeline.tsx';
import { TrackingLinks } from './tracking-links.tsx';

const AsCode = lazy(async () => (await import('./as-code.tsx')).AsCode);
const ProofSection = lazy(async () => (await import('./proof-section.tsx')).ProofSection);
const ResolutionSection = lazy(async () => (await import('./resolution.tsx')).ResolutionSection);
const ReturnSection = lazy(async () => (await import('./return-section.tsx')).ReturnSection);
const ShortCodeForm = lazy(async () => (await import('./short-code-form.tsx')).ShortCodeForm);

export interface WholeShipment {
  readonly shipment: Outputs['shipments']['get'];
  readonly tracking: Outputs['shipments']['tracking'];
  readonly address: Outputs['nationalAddresses']['get'];
  readonly windows: Outputs['deliveryWindows']['get'];
  readonly cod: Cod;
  readonly charges: Outputs['shipments']['charges'];
  readonly timeline: Outputs['shipments']['timeline']['data'];
  readonly reply: Outputs['recipients']['getReply'];
  readonly cases: readonly CaseSummary[];
  readonly amendments: Outputs['shipmentAmendments']['list']['data'];
  /** Where the search for a driver stands, if the shipment has no driver. */
  readonly dispatch: Dispatch | undefined;
}

const REFRESH_MS = 4_000;
const TEXTS = {
  en: {
    all: 'All shipments',
    list: 'Back to the list',
    title: 'Shipment',
    none: 'There is no such shipment in your company',
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
    lockedFrom: 'Price locked from',
    until: 'until',
    updated: 'Last change',
  },
  ar: {
    all: 'كل الشحنات',
    list: 'عودة إلى القائمة',
    title: 'الشحنة',
    none: 'لا توجد شحنة كهذه في شركتك',
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
    lockedFrom: 'السعر مثبَّت من',
    until: 'حتى',
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
  /** How many links the recipient's part has made. The list reads them with another key. */
  const [links, setLinks] = useState(0);
  const cityName = useCityNames();
  useEvery(REFRESH_MS, reload, value !== undefined && failure === undefined && !isTerminal(value.shipment.state));
  if (value === undefined && failure === undefined) return <Skeleton lines={8} />;
  if (value === undefined) {
    const up = { to: addressOf('shipments'), label: text.all };
    return <NotShown sought={{ name: text.title, none: text.none, up }} loaded={{ failure, reload }} />;
  }
  const { shipment, tracking, address, charges, timeline, reply, amendments } = value;
  const { priceLock } = charges;
  const returns =
    shipment.state === 'DELIVERED' ? (
      <ReturnSection shipment={shipment} request={reply.returnRequest} onChanged={reload} />
    ) : null;
  return (
    <>
      <p class="overline">
        <BackToList />
      </p>
      <StateFirst whole={value} />
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {isJustCreated(shipmentId) ? (
        <FirstLink key={shipmentId} shipmentId={shipmentId} onMade={() => setLinks((before) => before + 1)} />
      ) : null}
      {shipment.state === 'DELIVERY_FAILED' ? <ResolutionSection shipmentId={shipmentId} onChanged={reload} /> : null}
      {reply.returnRequest === null ? null : returns}
      <Actions shipment={shipment} deployment={deployment} currency={charges.currency} onChanged={reload} />
      <NationalAddressSection shipment={shipment} address={address}>
        {needsCode(shipment, address) ? (
          <ShortCodeForm shipmentId={shipmentId} address={address} onChanged={reload} />
        ) : null}
      </NationalAddressSection>
      <RecipientSection
        shipment={shipment}
        reply={reply}
        amendments={amendments}
        currency={charges.currency}
        needsCode={needsCode(shipment, address)}
        onChanged={reload}
        onLink={() => setLinks((before) => before + 1)}
      />
      <div class="halves">
        <section>
          <h2>{text.route}</h2>
          <RouteDrawing pickup={shipment.pickup} destination={shipment.destination} driver={tracking.livePosition} />
          <ShipmentFacts shipment={shipment} cod={value.cod} cityName={cityName} />
        </section>
        <section>
          <h2>{text.timeline}</h2>
          <Timeline entries={timeline} dispatch={value.dispatch} />
          <h2>{text.charges}</h2>
          <ChargeTable charges={charges} />
          {priceLock === null ? null : (
            <p class="small quiet">
              {text.lockedFrom} {formatTime(priceLock.lockedAt)} {text.until} {formatTime(priceLock.expiresAt)}
            </p>
          )}
        </section>
      </div>
      {['DELIVERED', 'DELIVERY_FAILED'].includes(shipment.state) ? <ProofSection shipment={shipment} /> : null}
      {reply.returnRequest === null ? returns : null}
      <CaseSection shipmentId={shipmentId} cases={value.cases} onChanged={reload} />
      <TrackingLinks key={links} shipmentId={shipmentId} isOver={isTerminal(shipment.state)} />
      {shipment.externalReference === null ? null : <Pictures externalReference={shipment.externalReference} />}
      <ForDevelopers shipment={shipment} />
    </>
  );
}

/** The list with the filters and the page that the person came from. */
function BackToList() {
  const text = textsOf(TEXTS);
  const all = addressOf('shipments');
  const [list = all, ...trail] = trailHere();
  return (
    <Link to={list} trail={trail}>
      {list === all ? text.all : text.list}
    </Link>
  );
}

/** The client sends the first calls in one request. */
async function readWhole(shipmentId: string): Promise<WholeShipment> {
  const [shipment, tracking, address, windows, cod, charges, timeline, reply, amendments, cases] = await Promise.all([
    service.shipments.get.query({ shipmentId }),
    service.shipments.tracking.query({ shipmentId }),
    service.nationalAddresses.get.query({ shipmentId }),
    service.deliveryWindows.get.query({ shipmentId }),
    service.codCollections.get.query({ shipmentId }),
    service.shipments.charges.query({ shipmentId }),
    readAll(service.shipments.timeline, { shipmentId }),
    service.recipients.getReply.query({ shipmentId }),
    readAll(service.shipmentAmendments.list, { shipmentId }),
    readAll(service.cases.list, { shipmentId }),
  ]);
  const dispatch = LOOKING.has(shipment.state) ? await service.shipments.dispatch.query({ shipmentId }) : undefined;
  return { shipment, tracking, address, windows, cod, charges, timeline, reply, amendments, cases, dispatch };
}

/** The states in which the shipment has no driver, or not yet. */
const LOOKING: ReadonlySet<ShipmentState> = new Set(['READY_FOR_DISPATCH', 'OFFERED', 'DISPATCH_UNRESOLVED']);

function StateFirst({ whole: { shipment, tracking, windows, timeline, dispatch } }: { readonly whole: WholeShipment }) {
  const text = textsOf(TEXTS);
  const { label, tone } = STATE_WORDS[shipment.state];
  const last = timeline.findLast(({ type }) => type !== 'late_report');
  const cause = timeline.findLast(({ type }) => type !== 'late_report' && type !== 'shipment.amended');
  return (
    <header class={`state ${tone}`}>
      <h1>
        <span aria-live="polite">
          {/* With a key, the element is replaced, and not only its text, which a translation may have replaced. */}
          <span key={shipment.state}>{label[locale]}</span>
        </span>
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
        <DeliveryWindow window={windows.window} />
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
      <Why state={shipment.state} note={cause?.note ?? null} reasons={reasonsOf(dispatch)} />
      {tracking.dispatch.phase === 'HELD' ? <p class="notice">{text.held}</p> : null}
    </header>
  );
}

/** Nothing is in the way of a search that begins later. A hold and a missing address have their own place on the page. */
function reasonsOf(dispatch: Dispatch | undefined): Dispatch['reasons'] {
  return dispatch?.phase === 'SEARCHING' || dispatch?.phase === 'UNRESOLVED' ? dispatch.reasons : [];
}

interface WhyProps extends Pick<WholeShipment['shipment'], 'state'>, Pick<Dispatch, 'reasons'> {
  /** That of the event that led to the state. */
  readonly note: string | null;
}

/** The reason that a shipment was not delivered or has no driver. */
function Why({ state, note, reasons }: WhyProps) {
  const isStuck = state === 'DISPATCH_UNRESOLVED';
  if (reasons.length > 0) return <p class="why">{reasons.map(({ detail }) => detail).join(' ')}</p>;
  if ((!isStuck && state !== 'DELIVERY_FAILED' && state !== 'CANCELLED') || note === null) return null;
  return (
    <p class="why">
      <bdi>{noteText(note)}</bdi>
    </p>
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

const DEVELOPER_TEXTS = {
  en: {
    title: 'For developers',
    requests: 'Requests about this shipment',
    webhooks: 'Webhooks of this shipment',
  },
  ar: {
    title: 'للمطورين',
    requests: 'الطلبات المتعلقة بهذه الشحنة',
    webhooks: 'إشعارات هذه الشحنة',
  },
};

/** The shipment as code, whose page loads when it is opened, and what its API has seen of it. */
function ForDevelopers({ shipment }: { readonly shipment: Outputs['shipments']['get'] }) {
  const text = textsOf(DEVELOPER_TEXTS);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section class="part">
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{text.title}</summary>
        {isOpen ? <AsCode shipment={shipment} /> : null}
      </details>
      <p>
        <Link to={addressOf('requests', { shipmentId: shipment.shipmentId, source: 'ALL' })}>{text.requests}</Link>
        {' · '}
        <Link to={addressOf('webhooks/deliveries', { shipmentId: shipment.shipmentId })}>{text.webhooks}</Link>
      </p>
    </section>
  );
}

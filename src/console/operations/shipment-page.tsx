import { isCarried } from '../../contract/shipment-state.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { Copy, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { NationalAddressSection } from '../shipments/national-address.tsx';
import { noteText, reasonText } from '../shipments/reason-text.ts';
import { Fact, ShipmentFacts } from '../shipments/shipment-facts.tsx';
import { EVENT_WORDS } from '../shipments/words.ts';
import { AddressDrawing } from './address-drawing.tsx';
import { ReasonedAction } from './reasoned-action.tsx';
import { ShipmentActions } from './shipment-actions.tsx';
import { DriverName } from './shipment-listing.tsx';
import { ACTORS } from './shipment-words.ts';

type Detail = Outputs['operations']['shipments']['get'];
type Entry = Outputs['operations']['shipments']['timeline']['data'][number];

const TEXTS = {
  en: {
    up: 'Shipments',
    number: 'Number',
    phone: 'Recipient’s phone',
    alternate: 'Alternate contact',
    driver: 'Driver',
    reason: 'Reason',
    company: 'Company',
    seen: 'The audit has your name beside this recipient.',
    facts: 'Shipment',
    timeline: 'Timeline',
    at: 'Time',
    what: 'What',
    who: 'Who',
    note: 'Note',
  },
  ar: {
    up: 'الشحنات',
    number: 'الرقم',
    phone: 'جوال المستلم',
    alternate: 'جهة اتصال بديلة',
    driver: 'السائق',
    reason: 'السبب',
    company: 'الشركة',
    seen: 'سُجّل في سجل التدقيق أنك اطلعت على بيانات هذا المستلم.',
    facts: 'الشحنة',
    timeline: 'التسلسل الزمني',
    at: 'الوقت',
    what: 'الحدث',
    who: 'بواسطة',
    note: 'ملاحظة',
  },
};

interface OperatorShipmentPageProps {
  readonly companyId: string;
  readonly shipmentId: string;
}

/** One shipment of a company, with its recipient, its timeline and what an operator can do. */
export function OperatorShipmentPage({ companyId, shipmentId }: OperatorShipmentPageProps) {
  const loaded = useLoaded(`shipment ${companyId} ${shipmentId}`, () => readWhole(companyId, shipmentId));
  return (
    <WhenLoaded loaded={loaded}>
      {({ detail, timeline }) => <Whole detail={detail} timeline={timeline} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

/** The client sends these calls in one request. */
async function readWhole(companyId: string, shipmentId: string) {
  const { get, timeline } = service.operations.shipments;
  const [detail, entries] = await Promise.all([
    get.query({ companyId, shipmentId }),
    readAll(timeline, { companyId, shipmentId }),
  ]);
  return { detail, timeline: entries };
}

interface WholeProps {
  readonly detail: Detail;
  readonly timeline: readonly Entry[];
  readonly reload: () => void;
}

function Whole({ detail, timeline, reload }: WholeProps) {
  const text = textsOf(TEXTS);
  const { shipmentId, shipmentNumber, companyId, companyName, state, reasonCode, recipient, driver } = detail;
  const { nationalAddress } = detail;
  const { status, location, distanceMeters } = nationalAddress;
  const { label, tone } = STATE_WORDS[state];
  const { alternateContactName, alternateContactPhone } = recipient;
  return (
    <>
      <PageHead
        title={label[locale]}
        up={{ to: addressOf('shipments'), label: text.up }}
        lead={
          <>
            <Pill tone={tone}>{label[locale]}</Pill> <Exact>{shipmentNumber}</Exact>{' '}
            <Copy text={shipmentNumber} what={text.number} />
          </>
        }
      >
        <ShipmentActions shipment={detail} onChanged={reload} />
        {isCarried(state) ? (
          <ReasonedAction action="releaseProof" companyId={companyId} shipmentId={shipmentId} onChanged={reload} />
        ) : null}
      </PageHead>
      <section class="part">
        <h2>{text.facts}</h2>
        <p class="quiet small">{text.seen}</p>
        <dl class="facts">
          <Fact name={text.company}>
            <Link to={addressOf(`companies/${companyId}`)}>
              <bdi>{companyName ?? companyId}</bdi>
            </Link>
          </Fact>
          {reasonCode === null ? null : <Fact name={text.reason}>{reasonText(reasonCode)}</Fact>}
          <Fact name={text.driver}>
            <DriverName driver={driver} />
          </Fact>
          <Fact name={text.phone}>
            <Exact>{recipient.phone}</Exact>
          </Fact>
          {alternateContactPhone === null ? null : (
            <Fact name={text.alternate}>
              <bdi>{alternateContactName ?? ''}</bdi> <Exact>{alternateContactPhone}</Exact>
            </Fact>
          )}
        </dl>
        <NationalAddressSection shipment={detail} address={nationalAddress}>
          {status === 'MISMATCH' && location !== null && distanceMeters !== null ? (
            <AddressDrawing pin={detail.shipment.destination} registry={location} distanceMeters={distanceMeters} />
          ) : null}
          {nationalAddress.blocksDispatch ? (
            <ReasonedAction action="overrideAddress" companyId={companyId} shipmentId={shipmentId} onChanged={reload} />
          ) : null}
        </NationalAddressSection>
        {/* Operators may not list a company's cities. */}
        <ShipmentFacts shipment={detail.shipment} cityName={(cityCode) => cityCode} />
      </section>
      <section class="part">
        <h2>{text.timeline}</h2>
        <Listing
          caption={text.timeline}
          rows={timeline}
          keyOf={({ sequence, occurredAt }) => `${sequence} ${occurredAt}`}
          columns={[
            { label: text.at, isShort: true, cell: ({ occurredAt }) => <Moment at={occurredAt} hasSeconds /> },
            { label: text.what, cell: ({ type }) => EVENT_WORDS[type][locale] },
            { label: text.who, cell: ({ actor }) => ACTORS[actor][locale] },
            { label: text.note, cell: ({ note }) => (note === null ? '—' : <bdi>{noteText(note)}</bdi>) },
          ]}
        />
      </section>
    </>
  );
}

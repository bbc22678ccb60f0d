import { isTerminal } from '../../contract/shipment-state.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { Phone } from './phone.tsx';
import { Held, Scenarios } from './scenarios.tsx';

type Shipment = Outputs['shipments']['get'];
type Entry = Outputs['shipments']['timeline']['data'][number];

const TEXTS = {
  en: {
    up: 'Sandbox',
    open: 'Open the shipment',
    timeline: 'Timeline',
    MERCHANT: 'you',
    DRIVER: 'driver',
    SYSTEM: 'service',
    OPERATOR: 'operator',
    RECIPIENT: 'recipient',
  },
  ar: {
    up: 'البيئة التجريبية',
    open: 'افتح الشحنة',
    timeline: 'التسلسل الزمني',
    MERCHANT: 'أنت',
    DRIVER: 'السائق',
    SYSTEM: 'الخدمة',
    OPERATOR: 'المشغّل',
    RECIPIENT: 'المستلم',
  },
};
const REFRESH_MS = 1_000;

/** A shipment and, beside it, the phone of its driver. */
export function DrivePage({ shipmentId }: { readonly shipmentId: string }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`driven ${shipmentId}`, () => readDriven(shipmentId));
  const state = loaded.value?.shipment.state;
  const isOver = state !== undefined && isTerminal(state);
  useEvery(REFRESH_MS, loaded.reload, !(loaded.isLoading || isOver));
  return (
    <WhenLoaded loaded={loaded}>
      {({ shipment, timeline, readiness, phase }) => (
        <>
          <PageHead
            title={<bdi dir="ltr">{shipment.shipmentNumber}</bdi>}
            up={{ to: addressOf('sandbox'), label: text.up }}
            lead={<Lead shipment={shipment} />}
          >
            <Link to={addressOf(`shipments/${shipmentId}`)} class="button">
              {text.open}
            </Link>
          </PageHead>
          <div class="drive">
            <Phone driverPhone={readiness.sandboxDriverPhone} shipment={shipment} onActed={loaded.reload} />
            <div class="driven">
              {phase === 'HELD' ? <Held shipmentId={shipmentId} onReleased={loaded.reload} /> : null}
              <Timeline entries={timeline} />
              {isOver ? null : <Scenarios shipmentId={shipmentId} onStarted={loaded.reload} />}
            </div>
          </div>
        </>
      )}
    </WhenLoaded>
  );
}

/** The client sends these calls in one request. */
async function readDriven(shipmentId: string) {
  const [shipment, timeline, readiness, tracking] = await Promise.all([
    service.shipments.get.query({ shipmentId }),
    readAll(service.shipments.timeline, { shipmentId }),
    service.sandbox.readiness.query({}),
    service.shipments.tracking.query({ shipmentId }),
  ]);
  return { shipment, timeline, readiness, phase: tracking.dispatch.phase };
}

function Lead({ shipment: { state, externalReference } }: { readonly shipment: Shipment }) {
  const { tone, label } = STATE_WORDS[state];
  return (
    <>
      <Pill tone={tone}>{label[locale]}</Pill> {externalReference === null ? null : <Exact>{externalReference}</Exact>}
    </>
  );
}

/** Newest first, because people watch for the newest event. */
function Timeline({ entries }: { readonly entries: readonly Entry[] }) {
  const text = textsOf(TEXTS);
  return (
    <section>
      <h2>{text.timeline}</h2>
      <ol class="happened" reversed>
        {entries.toReversed().map(({ sequence, type, state, occurredAt, actor }) => (
          <li key={`${sequence} ${occurredAt}`}>
            <strong>{STATE_WORDS[state].label[locale]}</strong>
            <p class="small quiet">
              <Moment at={occurredAt} hasSeconds /> · {text[actor]} · <Exact>{type}</Exact>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { type Inputs, type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import type { SandboxReadiness } from './readiness.tsx';

type Shipment = Outputs['shipments']['list']['data'][number];

const TEXTS = {
  en: {
    title: 'Act as the driver',
    empty: 'There is no shipment yet.',
    create: 'New test shipment',
    number: 'Number',
    reference: 'Your reference',
    recipient: 'Recipient',
    state: 'State',
    created: 'Created',
  },
  ar: {
    title: 'أداء دور السائق',
    empty: 'لا توجد شحنة بعد.',
    create: 'شحنة تجريبية جديدة',
    number: 'الرقم',
    reference: 'رقمك المرجعي',
    recipient: 'المستلم',
    state: 'الحالة',
    created: 'وقت الإنشاء',
  },
};
const SHOWN = 10;
const REFRESH_MS = 5_000;

interface NewestShipmentsProps {
  readonly readiness: SandboxReadiness;
  readonly cursor: string | undefined;
  readonly onCreated: () => void;
}

/** The newest shipments, each with a link to its driver's phone, and a button for a test shipment. */
export function NewestShipments({ readiness, cursor, onCreated }: NewestShipmentsProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`newest shipments ${cursor}`, () =>
    service.shipments.list.query({ limit: SHOWN, ...(cursor === undefined ? {} : { cursor }) }),
  );
  useEvery(REFRESH_MS, loaded.reload, !loaded.isLoading);
  const work = useWork(async () => {
    const { shipmentId } = await service.shipments.create.mutate(fixtureShipment(readiness));
    onCreated();
    navigate(addressOf(`sandbox/${shipmentId}`));
  });
  const create = (
    <Button
      kind="primary"
      isBusy={work.isBusy}
      isDisabled={!readiness.canCreateShipment}
      onClick={() => void work.start(undefined)}
    >
      {text.create}
    </Button>
  );
  return (
    <section class="part">
      <h2>{text.title}</h2>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      <WhenLoaded loaded={loaded}>
        {({ data, page }) =>
          data.length === 0 ? (
            <Empty text={text.empty}>{create}</Empty>
          ) : (
            <>
              <div class="actions">{create}</div>
              <Shipments shipments={data} />
              <Pager path="sandbox" filters={{}} cursor={cursor} nextCursor={page.nextCursor} />
            </>
          )
        }
      </WhenLoaded>
    </section>
  );
}

function Shipments({ shipments }: { readonly shipments: readonly Shipment[] }) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={text.title}
      rows={shipments}
      keyOf={({ shipmentId }) => shipmentId}
      columns={[
        {
          label: text.number,
          isShort: true,
          cell: ({ shipmentId, shipmentNumber }) => (
            <Link to={addressOf(`sandbox/${shipmentId}`)}>
              <Exact>{shipmentNumber}</Exact>
            </Link>
          ),
        },
        { label: text.reference, cell: (shipment) => <Exact>{shipment.externalReference ?? '—'}</Exact> },
        { label: text.recipient, cell: ({ recipientName }) => <bdi>{recipientName}</bdi> },
        {
          label: text.state,
          cell: ({ state }) => <Pill tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].label[locale]}</Pill>,
        },
        { label: text.created, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
    />
  );
}

const FIXTURE_SHIPMENT_TEXTS = {
  en: { name: 'Noura Al-Harbi', address: '4 King Fahd Road, Riyadh', item: 'Coffee beans' },
  ar: { name: 'نورة الحربي', address: '4 طريق الملك فهد، الرياض', item: 'حبوب قهوة' },
};
const HOUR_MS = 3_600_000;

/** The request for a test shipment, made from the sandbox's fixtures. */
function fixtureShipment(readiness: SandboxReadiness): Inputs['shipments']['create'] {
  const { branchCode, pickupLocationCode, delivery, destinationCityCode } = readiness;
  const { name, address, item } = textsOf(FIXTURE_SHIPMENT_TEXTS);
  const inHours = (hours: number) => new Date(companyNow() + hours * HOUR_MS).toISOString();
  return {
    idempotencyKey: crypto.randomUUID(),
    externalReference: `sandbox-${crypto.randomUUID().slice(0, 8)}`,
    branchCode,
    pickupLocationCode,
    // Not a real number.
    recipient: { name, phone: '0500000000' },
    destination: { addressLine: address, cityCode: destinationCityCode, ...delivery },
    declaredValue: '250',
    codAmount: '120.5',
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: inHours(1),
    pickupWindowEnd: inHours(4),
    items: [{ description: item, quantity: 2, weightKilograms: '1.25' }],
    requirements: [],
  };
}

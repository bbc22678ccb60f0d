import { Pill } from '../../ui/pill.tsx';
import { STATE_WORDS } from '../../ui/shipment-words.ts';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { Exact } from '../kit/exact.tsx';
import { Listing } from '../kit/listing.tsx';
import { Moment } from '../kit/moment.tsx';
import { Pager } from '../kit/pager.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useLoaded, useWork } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { locale, textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { fixtureShipment } from './fixture-shipment.ts';
import type { SandboxReadiness } from './readiness.tsx';

type Shipment = Outputs['shipments']['list']['data'][number];

const TEXTS = {
  en: {
    title: 'Drive a shipment',
    empty: 'There is no shipment to drive yet.',
    create: 'New test shipment',
    number: 'Number',
    reference: 'Your reference',
    recipient: 'Recipient',
    state: 'State',
    created: 'Created',
  },
  ar: {
    title: 'قيادة شحنة',
    empty: 'لا توجد شحنة لقيادتها بعد.',
    create: 'شحنة تجريبية جديدة',
    number: 'الرقم',
    reference: 'مرجعك',
    recipient: 'المستلم',
    state: 'الحالة',
    created: 'وقت الإنشاء',
  },
};
const SHOWN = 10;

interface NewestShipmentsProps {
  readonly readiness: SandboxReadiness;
  readonly cursor: string | undefined;
  readonly onCreated: () => void;
}

/** The newest shipments, each with its driver behind it, and one made of the fixtures. */
export function NewestShipments({ readiness, cursor, onCreated }: NewestShipmentsProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`newest shipments ${cursor}`, () =>
    service.shipments.list.query({ limit: SHOWN, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const work = useWork(async () => {
    const { shipmentId } = await service.shipments.create.mutate(fixtureShipment(readiness));
    onCreated();
    go(addressOf(`sandbox/${shipmentId}`));
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

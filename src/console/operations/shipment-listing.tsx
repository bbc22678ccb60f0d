import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { Ago, Exact } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { reasonText } from '../shipments/reason-text.ts';
import { ShipmentActions } from './shipment-actions.tsx';

type Shipment = Outputs['operations']['shipments']['listQueue']['data'][number];

const TEXTS = {
  en: {
    since: 'Since',
    shipment: 'Shipment',
    company: 'Company',
    state: 'State',
    way: 'From and to',
    driver: 'Driver',
    actions: 'Actions',
    offDuty: 'off duty',
    blocked: 'blocked',
  },
  ar: {
    since: 'منذ',
    shipment: 'الشحنة',
    company: 'الشركة',
    state: 'الحالة',
    way: 'من وإلى',
    driver: 'السائق',
    actions: 'الإجراءات',
    offDuty: 'خارج المناوبة',
    blocked: 'محظور',
  },
};

interface ShipmentListingProps {
  readonly caption: string;
  readonly shipments: readonly Shipment[];
  readonly onChanged: () => void;
}

/** Shipments of all companies, with the actions of each on its row. */
export function ShipmentListing({ caption, shipments, onChanged }: ShipmentListingProps) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={caption}
      rows={shipments}
      keyOf={({ shipmentId }) => shipmentId}
      columns={[
        { label: text.since, isShort: true, cell: ({ since }) => <Ago at={since} /> },
        {
          label: text.shipment,
          cell: ({ companyId, shipmentId, shipmentNumber, externalReference }) => (
            <>
              <Link to={addressOf(`shipments/${companyId}/${shipmentId}`)}>
                <Exact>{shipmentNumber}</Exact>
              </Link>{' '}
              <bdi class="quiet reference">{externalReference}</bdi>
            </>
          ),
        },
        { label: text.company, cell: ({ companyName, companyId }) => <bdi>{companyName ?? companyId}</bdi> },
        { label: text.state, cell: (shipment) => <State shipment={shipment} /> },
        {
          label: text.way,
          isShort: true,
          cell: ({ pickupCity, destinationCity }) => (
            <>
              <Exact>{pickupCity}</Exact> · <Exact>{destinationCity}</Exact>
            </>
          ),
        },
        { label: text.driver, cell: ({ driver }) => <DriverName driver={driver} /> },
        { label: text.actions, cell: (shipment) => <ShipmentActions shipment={shipment} onChanged={onChanged} /> },
      ]}
    />
  );
}

function State({ shipment: { state, reasonCode } }: { readonly shipment: Shipment }) {
  const { label, tone } = STATE_WORDS[state];
  return (
    <>
      <Pill tone={tone}>{label[locale]}</Pill>
      {reasonCode === null ? null : <span class="quiet small"> {reasonText(reasonCode)}</span>}
    </>
  );
}

/** The driver who has the shipment, and why that is a problem. */
export function DriverName({ driver }: Pick<Shipment, 'driver'>) {
  const text = textsOf(TEXTS);
  if (driver === null) return <>—</>;
  const why = [driver.onDuty ? [] : [text.offDuty], driver.status === 'ACTIVE' ? [] : [text.blocked]].flat().join(', ');
  return (
    <>
      <bdi>{driver.firstName}</bdi>
      {why === '' ? null : <span class="quiet"> ({why})</span>}
    </>
  );
}

import { ACTIVITY_FIGURES } from '../../contract/shipment-state.ts';
import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { formatDay, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { type ListColumn, useColumns } from './shipment-columns.tsx';
import { FIGURE_WORDS } from './words.ts';

const TEXTS = {
  en: {
    home: 'Home',
    shipment: 'Shipment',
    state: 'State now',
    recipient: 'Recipient',
    city: 'City',
    none: 'No shipment was counted here on this day.',
    all: 'Show all shipments',
  },
  ar: {
    home: 'الرئيسية',
    shipment: 'الشحنة',
    state: 'الحالة الآن',
    recipient: 'المستلم',
    city: 'المدينة',
    none: 'لم تُعدّ هنا أي شحنة في هذا اليوم.',
    all: 'اعرض كل الشحنات',
  },
};

/** Like other lists, it shows when something last happened. */
const LAST: readonly ListColumn[] = ['lastEvent'];

/** The shipments behind a figure of the home page, at `/console/shipments/day?day=2026-01-31&figure=delivered`. */
export function DayList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const nameOf = useCityNames();
  const day = query.get('day') ?? '';
  const figure = ACTIVITY_FIGURES.find((known) => known === query.get('figure'));
  const cursor = query.get('cursor') ?? undefined;
  const { value, failure, reload } = useLoaded(addressOf('', { day, figure, cursor }), async () =>
    figure === undefined ? undefined : service.activity.list.query({ day, figure, cursor, limit: PAGE_LIMIT_MAX }),
  );
  const { shown, notice } = useColumns(LAST, value?.data ?? []);
  if (figure === undefined || Number.isNaN(Date.parse(day))) return <NoSuchPage />;
  return (
    <>
      <PageHead
        up={{ to: addressOf(''), label: text.home }}
        title={`${FIGURE_WORDS[figure][locale]} · ${formatDay(day)}`}
      />
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {notice}
      {value === undefined && failure === undefined ? <Skeleton lines={8} /> : null}
      {value?.data.length === 0 ? (
        <Empty text={text.none}>
          <Link to={addressOf('shipments')}>{text.all}</Link>
        </Empty>
      ) : null}
      {value === undefined || value.data.length === 0 ? null : (
        <Listing
          caption={FIGURE_WORDS[figure][locale]}
          rows={value.data}
          keyOf={({ shipmentId }) => shipmentId}
          columns={[
            {
              label: text.shipment,
              cell: ({ shipmentId, shipmentNumber, externalReference }) => (
                <>
                  <Link to={addressOf(`shipments/${shipmentId}`)}>
                    <bdi dir="ltr">{shipmentNumber}</bdi>
                  </Link>{' '}
                  <bdi class="reference small">{externalReference}</bdi>
                </>
              ),
            },
            {
              label: text.state,
              cell: ({ state }) => <Pill tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].label[locale]}</Pill>,
            },
            { label: text.recipient, cell: ({ recipientName }) => <bdi>{recipientName}</bdi> },
            { label: text.city, cell: ({ destination }) => <bdi>{nameOf(destination.cityCode)}</bdi>, isShort: true },
            ...shown.map(({ label, cell }) => ({ label, cell, isShort: true })),
          ]}
        />
      )}
      <Pager
        path="shipments/day"
        filters={{ day, figure }}
        cursor={cursor}
        nextCursor={value?.page.nextCursor ?? null}
      />
    </>
  );
}

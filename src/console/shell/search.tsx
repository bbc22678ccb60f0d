import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { companyNow } from '../base/company-clock.ts';
import { locale, textsOf } from '../base/locale.ts';
import { addressOf, navigate } from '../base/navigation.tsx';
import { Field } from '../kit/field.tsx';
import { Form } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { failureOf } from '../service/failure.ts';
import { useLoaded, useSettled } from '../service/loading.ts';
import { AREAS } from './areas.tsx';

type Shipment = Outputs['shipments']['get'];

const TEXTS = {
  en: {
    label: 'Search',
    hint: 'A reference, a shipment number, the last four digits of a mobile, a name, or a page.',
    pages: 'Pages and actions',
    shipments: 'Shipments',
    recent: 'Shipments of the last 30 days',
    all: 'Search in the list',
    none: 'Nothing found.',
    count: (count: number) => `Results: ${count}`,
    actions: {
      'shipments/new': 'New shipment',
      'shipments/upload': 'Upload a CSV file',
      'places/new': 'New branch',
      'webhooks/new': 'New webhook endpoint',
      'webhooks/deliveries': 'Webhook deliveries',
    },
  },
  ar: {
    label: 'البحث',
    hint: 'رقم مرجعي، أو رقم شحنة، أو آخر أربعة أرقام من الجوال، أو اسم، أو صفحة.',
    pages: 'الصفحات والإجراءات',
    shipments: 'الشحنات',
    recent: 'شحنات آخر 30 يومًا',
    all: 'ابحث في القائمة',
    none: 'لم يُعثر على شيء.',
    count: (count: number) => `النتائج: ${count}`,
    actions: {
      'shipments/new': 'شحنة جديدة',
      'shipments/upload': 'ارفع ملف CSV',
      'places/new': 'فرع جديد',
      'webhooks/new': 'وجهة إشعارات جديدة',
      'webhooks/deliveries': 'تسليمات الإشعارات',
    },
  },
};
/** How long to wait after the last key. */
const SETTLED_MS = 150;
const SHOWN = 8;
/** The service refuses shorter texts. */
const CHARACTERS_MIN = 2;

interface SearchProps {
  readonly deployment: Deployment;
  readonly onClose: () => void;
}

/** Finds shipments, pages and actions while somebody types. Enter opens the first, the arrow keys walk the others. */
export function Search({ deployment, onClose }: SearchProps) {
  const text = textsOf(TEXTS);
  const [typed, setTyped] = useState('');
  const q = useSettled(typed.trim(), SETTLED_MS);
  const found = useLoaded(q, () => findShipments(q));
  const results = useRef<HTMLDivElement>(null);
  const places = placesOf(typed.trim(), deployment);
  const { shipments = [], isRecent = false } = found.value ?? {};
  const isSettled = q === typed.trim() && !found.isLoading;
  const open = (to: string) => {
    onClose();
    navigate(to);
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const links = [...(results.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1))]?.focus();
  };
  const result = (to: string, children: ComponentChildren) => (
    <li key={to}>
      <a
        href={to}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          open(to);
        }}
      >
        {children}
      </a>
    </li>
  );
  const list = addressOf('shipments', { q: typed.trim() });
  return (
    <div onKeyDown={walk}>
      <Form
        search={text.label}
        onSubmit={() => {
          const [first] = shipments;
          const [place] = places;
          if (isSettled && first !== undefined) open(addressOf(`shipments/${first.shipmentId}`));
          else open(place?.to ?? list);
        }}
      >
        <Field label={text.label} hint={text.hint} type="search" value={typed} onChange={setTyped} isFirst />
      </Form>
      {found.failure === undefined ? null : <ProblemNotice failure={found.failure} retry={found.reload} />}
      <div class="results" ref={results}>
        <p class="unseen" role="status">
          {isSettled ? text.count(shipments.length + places.length) : null}
        </p>
        {shipments.length === 0 ? null : (
          <section aria-label={text.shipments}>
            <h3>{isRecent ? text.recent : text.shipments}</h3>
            <ul class="plain-list">
              {shipments.map((shipment) =>
                result(addressOf(`shipments/${shipment.shipmentId}`), <Found shipment={shipment} />),
              )}
              {shipments.length < SHOWN ? null : result(list, text.all)}
            </ul>
          </section>
        )}
        {places.length === 0 ? null : (
          <section aria-label={text.pages}>
            <h3>{text.pages}</h3>
            <ul class="plain-list">{places.map(({ to, label }) => result(to, label))}</ul>
          </section>
        )}
        {isSettled && shipments.length + places.length === 0 && found.failure === undefined ? <p>{text.none}</p> : null}
      </div>
    </div>
  );
}

function Found({
  shipment: { shipmentNumber, externalReference, recipientName, state },
}: {
  readonly shipment: Shipment;
}) {
  const { label, tone } = STATE_WORDS[state];
  return (
    <>
      <bdi dir="ltr">{shipmentNumber}</bdi> <bdi>{externalReference}</bdi> · <bdi>{recipientName}</bdi>{' '}
      <Pill tone={tone}>{label[locale]}</Pill>
    </>
  );
}

const RECENT_MS = 30 * 24 * 3_600_000;

/** The newest shipments that match. A company with too many is searched in the last days only. */
async function findShipments(q: string) {
  if (q.length < CHARACTERS_MIN) return { shipments: [], isRecent: false };
  const read = async (time: { readonly createdFrom?: string }) =>
    (await service.shipments.list.query({ q, ...time, limit: SHOWN })).data;
  try {
    return { shipments: await read({}), isRecent: false };
  } catch (error) {
    if (!failureOf(error).violations.some(({ field }) => field === 'createdFrom')) throw error;
    const createdFrom = new Date(companyNow() - RECENT_MS).toISOString();
    return { shipments: await read({ createdFrom }), isRecent: true };
  }
}

/** The pages and actions whose name has a word that begins so. Without a text, all of them. */
function placesOf(typed: string, deployment: Deployment) {
  const areas = AREAS.filter(({ isIn }) => isIn(deployment)).map(({ name, label }) => ({ name, label: label[locale] }));
  const actions = Object.entries(textsOf(TEXTS).actions).map(([name, label]) => ({ name, label }));
  const start = typed.toLowerCase();
  return [...areas, ...actions]
    .filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${start}`))
    .map(({ name, label }) => ({ to: addressOf(name), label }));
}

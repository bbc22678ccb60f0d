import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { isUuid } from '../../core/uuid.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Form } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { SHORTER_DAYS } from '../../ui/browser/kit/shorter-days.ts';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { failureOf, isMissing, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useSettled } from '../../ui/browser/service/loading.ts';
import { Pill, STATE_WORDS } from '../../ui/state.tsx';
import { AREAS } from './areas.tsx';

type Shipment = Outputs['shipments']['get'];

const TEXTS = {
  en: {
    label: 'Search',
    field: 'A reference, number, mobile or name, the id of a shipment or request, or a page',
    request: 'Request',
    pages: 'Pages and actions',
    shipments: 'Shipments',
    recent: {
      30: 'Shipments of the last 30 days',
      7: 'Shipments of the last 7 days',
      1: 'Shipments of the last 24 hours',
    },
    all: 'Search in the list',
    none: 'Nothing found.',
    count: (count: number) => `Results: ${count}`,
    actions: {
      'shipments/new': 'New shipment',
      'shipments/upload': 'Upload a file of orders',
      'places/new': 'New branch',
      'webhooks/new': 'New webhook endpoint',
      'webhooks/deliveries': 'Webhook deliveries',
    },
  },
  ar: {
    label: 'البحث',
    field: 'رقم مرجعي أو رقم شحنة أو جوال أو اسم، أو معرّف شحنة أو طلب، أو صفحة',
    request: 'الطلب',
    pages: 'الصفحات والإجراءات',
    shipments: 'الشحنات',
    recent: { 30: 'شحنات آخر 30 يومًا', 7: 'شحنات آخر 7 أيام', 1: 'شحنات آخر 24 ساعة' },
    all: 'ابحث في القائمة',
    none: 'لم يُعثر على شيء.',
    count: (count: number) => `النتائج: ${count}`,
    actions: {
      'shipments/new': 'شحنة جديدة',
      'shipments/upload': 'ارفع ملف طلبات',
      'places/new': 'فرع جديد',
      'webhooks/new': 'نقطة استقبال جديدة',
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
  const q = useSettled(typed, SETTLED_MS);
  const found = useLoaded(q, () => find(q));
  const results = useRef<HTMLDivElement>(null);
  const { shipments = [], days, requestId } = found.value ?? {};
  const places = placesOf(typed, deployment);
  if (requestId !== undefined)
    places.push({ to: addressOf(`requests/${requestId}`), label: `${text.request} ${requestId}` });
  const isSettled = q === typed && !found.isLoading;
  const open = (to: string) => {
    onClose();
    navigate(to);
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) {
      // By default the first Escape only empties the field.
      event.preventDefault();
      onClose();
    }
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
  const list = addressOf('shipments', { q: typed });
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
        <Field
          label={text.field}
          error={violationAt(found.failure, 'q')}
          type="search"
          value={typed}
          onChange={setTyped}
          isFirst
        />
      </Form>
      {found.failure === undefined || violationAt(found.failure, 'q') !== undefined ? null : (
        <ProblemNotice failure={found.failure} retry={found.reload} />
      )}
      <div class="results" ref={results}>
        <p class="unseen" role="status">
          {isSettled ? text.count(shipments.length + places.length) : null}
        </p>
        {shipments.length === 0 ? null : (
          <section aria-label={text.shipments}>
            <h3>{days === undefined ? text.shipments : text.recent[days]}</h3>
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

const DAY_MS = 24 * 3_600_000;

interface Results {
  readonly shipments: readonly Shipment[];
  /** If only the shipments of the last days were searched. */
  readonly days?: (typeof SHORTER_DAYS)[number] | undefined;
  readonly requestId?: string | undefined;
}

/** What has this id, or the newest shipments that match. */
async function find(q: string): Promise<Results | undefined> {
  if (q.length < CHARACTERS_MIN) return { shipments: [] };
  if (!isUuid(q)) return findShipments(q);
  const shipment = await orNone(service.shipments.get.query({ shipmentId: q }));
  if (shipment !== undefined) return { shipments: [shipment] };
  const request = await orNone(service.requestLog.get.query({ requestId: q }));
  return { shipments: [], requestId: request?.requestId };
}

/** The answer, or undefined if there is no such thing, or another company has it. */
async function orNone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(failureOf(error))) return undefined;
    throw error;
  }
}

/** The newest shipments that match. A company with too many is searched in the last days only. */
async function findShipments(q: string): Promise<Results | undefined> {
  for (const days of [undefined, ...SHORTER_DAYS]) {
    const time = days === undefined ? {} : { createdFrom: new Date(companyNow() - days * DAY_MS).toISOString() };
    try {
      return { shipments: (await service.shipments.list.query({ q, ...time, limit: SHOWN })).data, days };
    } catch (error) {
      if (days === SHORTER_DAYS.at(-1) || !isTooLong(error)) throw error;
    }
  }
}

/** Whether the search would read too many shipments. */
function isTooLong(error: unknown): boolean {
  return failureOf(error).violations.some(({ field }) => field === 'createdFrom');
}

/** The pages and actions whose name has a word that begins so. Without a text, all of them. */
function placesOf(typed: string, deployment: Deployment) {
  const areas = AREAS.filter(({ isIn }) => isIn(deployment)).map(({ name, label }) => ({ name, label: label[locale] }));
  const actions = Object.entries(textsOf(TEXTS).actions).map(([name, label]) => ({ name, label }));
  return [...areas, ...actions]
    .filter(({ label }) => wordsOf(label).includes(wordsOf(typed)))
    .map(({ name, label }) => ({ to: addressOf(name), label }));
}

/** Words as they are compared: folded, and without the Arabic article. */
function wordsOf(text: string): string {
  return ` ${foldedOf(text)}`.replaceAll(' ال', ' ');
}

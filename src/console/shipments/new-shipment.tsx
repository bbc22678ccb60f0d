import { useContext, useRef, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { readText } from '../../core/typed/text.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { DraftOwner, useDraft } from '../../ui/browser/kit/draft.tsx';
import { Form } from '../../ui/browser/kit/form.tsx';
import { keyOf } from '../../ui/browser/kit/kept-draft.ts';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { Empty } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import type { CallFailure } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { CreationFailure } from './creation-failure.tsx';
import { setCreated } from './first-link.tsx';
import { keepContents } from './last-contents.tsx';
import { type LockedPrice, PriceLock, pricedPartOf } from './price.tsx';
import {
  DRAFT_FIELDS,
  draftAgain,
  ITEM_FIELDS,
  isForgotten,
  isNoteLong,
  requestOf,
  type ShipmentDraft,
  type ShipmentRequest,
  sandboxDraft,
} from './shipment-draft.ts';
import { firstDraft, type Origins, readOrigins, ShipmentForm } from './shipment-form.tsx';

const TEXTS = {
  en: {
    title: 'New shipment',
    all: 'All shipments',
    noBranch: 'A shipment starts at a branch, and you have no branch yet.',
    branches: 'Create a branch',
    created: 'The shipment is created.',
    again: 'Enter the mobile again, and the alternate contact if there was one. They are not copied.',
    forgotten:
      'The data of this recipient was deleted. Enter the name, the mobile, the address and the position again, and the alternate contact if there was one.',
  },
  ar: {
    title: 'شحنة جديدة',
    all: 'كل الشحنات',
    noBranch: 'تبدأ الشحنة من فرع، وليس لديك فرع بعد.',
    branches: 'أنشئ فرعًا',
    created: 'أُنشئت الشحنة.',
    again: 'أدخل الجوال من جديد، وجهة الاتصال البديلة إن وُجدت، فهما لا يُنسخان.',
    forgotten: 'حُذفت بيانات هذا المستلم. أدخل الاسم والجوال والعنوان والموقع من جديد، وجهة الاتصال البديلة إن وُجدت.',
  },
};

/** The form for a new shipment. `?from=sandbox` fills it with the sandbox's fixtures, `?again=` with a shipment's order. */
export function NewShipment({
  deployment,
  query,
}: {
  readonly deployment: Deployment;
  readonly query: URLSearchParams;
}) {
  const text = textsOf(TEXTS);
  const isFilled = query.get('from') === 'sandbox' && deployment !== 'production';
  const again = query.get('again');
  const { value, failure, reload } = useLoaded(`origins ${again}`, async () => {
    const [origins, readiness, shipment] = await Promise.all([
      readOrigins(),
      isFilled ? service.sandbox.readiness.query({}) : undefined,
      again === null ? undefined : service.shipments.get.query({ shipmentId: again }),
    ]);
    if (shipment !== undefined) {
      const first = draftAgain(shipment, origins.pickupLocations, firstDraft(origins));
      return { origins, first, note: isForgotten(shipment) ? text.forgotten : text.again };
    }
    return {
      origins,
      first: readiness === undefined ? firstDraft(origins) : sandboxDraft(readiness, companyNow()),
    };
  });
  return (
    <>
      <p class="overline">
        <Link to={addressOf('shipments')}>{text.all}</Link>
      </p>
      <h1>{text.title}</h1>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value === undefined && failure === undefined ? <Skeleton lines={8} /> : null}
      {value?.origins.branches.length === 0 ? (
        <Empty text={text.noBranch}>
          <Link to={addressOf('places')}>{text.branches}</Link>
        </Empty>
      ) : null}
      {value === undefined || value.origins.branches.length === 0 ? null : <Order {...value} onReload={reload} />}
    </>
  );
}

interface OrderProps {
  readonly first: ShipmentDraft;
  readonly origins: Origins;
  /** What has to be entered although the form is filled. */
  readonly note?: string;
  /** Loads branches and pickup locations again. The form keeps what was typed. */
  readonly onReload: () => void;
}

function Order({ first, origins, note, onReload }: OrderProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, id, kept } = useDraft(first);
  const owner = useContext(DraftOwner);
  const [noted, setNoted] = useState<Note>();
  const finish = (shipmentId: string) => {
    kept.forget();
    setCreated(shipmentId);
    navigate(addressOf(`shipments/${shipmentId}`));
  };
  const saveNote = useWork(async ({ shipmentId, note: unsaved, idempotencyKey }: Note) => {
    const condition = { ifMatch: '*', priceLimit: '0', idempotencyKey };
    const amendment = { instructions: unsaved, reasonCode: 'OTHER' } as const;
    await service.shipmentAmendments.create.mutate({ shipmentId, ...condition, ...amendment });
    finish(shipmentId);
  });
  const work = useWork(async (order: ShipmentRequest) => {
    // The same after a lost answer, also with a fresh price lock, so that the shipment is not created twice.
    const { priceLock: _priceLock, ...rest } = order;
    const idempotencyKey = await keyOf(id, rest);
    const { shipmentId } = await service.shipments.create.mutate({ ...order, idempotencyKey });
    showToast(text.created);
    keepContents(owner, draft.items);
    const instructions = readText(draft.note);
    if (instructions === '') return finish(shipmentId);
    const unsaved = { shipmentId, note: instructions, idempotencyKey: crypto.randomUUID() };
    setNoted(unsaved);
    await saveNote.start(unsaved);
  });
  const locked = useRef<LockedPrice | undefined>(undefined);
  const request = requestOf(draft);
  const part = pricedPartOf(request);
  // What the form shows is what the shipment costs: an expired lock is refused, and no other price is paid.
  const send = async () => {
    if (isNoteLong(draft)) return false;
    const { current } = locked;
    return work.start(current?.part === part ? { ...request, priceLock: current.priceLock } : request);
  };
  const reload = () => {
    work.clearFailure();
    onReload();
  };
  if (noted !== undefined)
    return <UnsavedNote noted={noted} failure={saveNote.failure} retry={() => void saveNote.start(noted)} />;
  return (
    <div class="with-aside">
      <Form class="sections" kept={kept} onSubmit={send}>
        {note === undefined ? null : <p class="notice">{note}</p>}
        <ShipmentForm draft={draft} setDraft={setDraft} origins={origins} work={work} />
        {work.failure === undefined ? null : (
          <CreationFailure
            failure={work.failure}
            isShownAtField={(field) => SHOWN_AT_FIELDS.some((shown) => shown.test(field))}
            retry={() => void send()}
            reload={reload}
          />
        )}
      </Form>
      <aside aria-label={text.title}>
        <PriceLock
          part={part}
          onLocked={(price) => {
            locked.current = price;
          }}
        />
      </aside>
    </div>
  );
}

/** A note for the driver of a shipment that was just created. */
interface Note {
  readonly shipmentId: string;
  readonly note: string;
  /** The same for each attempt to save it. */
  readonly idempotencyKey: string;
}

const NOTE_TEXTS = {
  en: {
    unsaved: 'The shipment is created, but your note for the driver is not saved:',
    shipment: 'Go to the shipment',
  },
  ar: { unsaved: 'أُنشئت الشحنة، لكن ملاحظتك للسائق لم تُحفظ:', shipment: 'انتقل إلى الشحنة' },
};

/** Says that the note was not saved, and offers to save it again. */
function UnsavedNote({
  noted,
  failure,
  retry,
}: {
  readonly noted: Note;
  /** Undefined while it is being saved. */
  readonly failure: CallFailure | undefined;
  readonly retry: () => void;
}) {
  const text = textsOf(NOTE_TEXTS);
  if (failure === undefined) return <Skeleton lines={2} />;
  return (
    <>
      <p>{text.unsaved}</p>
      <blockquote dir="auto">{noted.note}</blockquote>
      <ProblemNotice failure={failure} retry={retry} />
      <Link to={addressOf(`shipments/${noted.shipmentId}`)}>{text.shipment}</Link>
    </>
  );
}

const SHOWN_AT_FIELDS: readonly RegExp[] = [
  new RegExp(`^(?:${DRAFT_FIELDS.join('|').replaceAll('.', '\\.')}|paymentMethod|nationalAddress)$`),
  new RegExp(`^items\\[\\d+\\]\\.(?:${ITEM_FIELDS.join('|')})$`),
  /^requirements\[\d+\]$/,
];

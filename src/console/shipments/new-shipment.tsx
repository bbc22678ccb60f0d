import { useState } from 'preact/hooks';
import { Empty } from '../kit/empty.tsx';
import { focusFirstInvalid } from '../kit/focus-first-invalid.ts';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { tell } from '../kit/toasts.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { CreationFailure } from './creation-failure.tsx';
import { Estimate } from './estimate.tsx';
import { blankDraft, requestOf, type ShipmentDraft, sandboxDraft } from './shipment-draft.ts';
import { ShipmentForm } from './shipment-form.tsx';
import { useCreation } from './use-creation.ts';

/** Where a shipment may begin. */
export interface Origins {
  readonly branches: Outputs['branches']['list']['data'];
  readonly pickupLocations: Outputs['pickupLocations']['list']['data'];
}

/** A company with more than so many places is better served by its own system. */
const PLACES = 100;
const TEXTS = {
  en: {
    title: 'New shipment',
    all: 'All shipments',
    noBranch: 'A shipment starts at a branch of yours. There is none yet.',
    branches: 'Create a branch',
    created: 'The shipment is created.',
  },
  ar: {
    title: 'شحنة جديدة',
    all: 'كل الشحنات',
    noBranch: 'تبدأ الشحنة من أحد فروعك، ولا يوجد فرع بعد.',
    branches: 'أنشئ فرعًا',
    created: 'أُنشئت الشحنة.',
  },
};

/** The form for one shipment. `?from=sandbox` fills it in with what the sandbox has made. */
export function NewShipment({ deployment, query }: { readonly deployment: string; readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const isFilled = query.get('from') === 'sandbox' && deployment !== 'production';
  const { value, failure, reload } = useLoaded('origins', async () => {
    const [origins, readiness] = await Promise.all([
      readOrigins(),
      isFilled ? service.sandbox.readiness.query({}) : undefined,
    ]);
    return { origins, first: readiness === undefined ? firstDraft(origins) : sandboxDraft(readiness, new Date()) };
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
      {value === undefined || value.origins.branches.length === 0 ? null : (
        <Order first={value.first} origins={value.origins} onReload={reload} />
      )}
    </>
  );
}

async function readOrigins(): Promise<Origins> {
  const [branches, pickupLocations] = await Promise.all([
    service.branches.list.query({ status: 'ACTIVE', limit: PLACES }),
    service.pickupLocations.list.query({ status: 'ACTIVE', limit: PLACES }),
  ]);
  return { branches: branches.data, pickupLocations: pickupLocations.data };
}

/** Who has one place to begin need not choose it. */
function firstDraft({ branches, pickupLocations }: Origins): ShipmentDraft {
  const blank = blankDraft(new Date());
  const [branch] = branches;
  if (branch === undefined || branches.length > 1) return blank;
  const { branchCode } = branch;
  const pickupLocationCode = pickupLocations.length === 1 ? (pickupLocations[0]?.pickupLocationCode ?? '') : '';
  return { ...blank, values: { ...blank.values, branchCode, pickupLocationCode } };
}

interface OrderProps {
  readonly first: ShipmentDraft;
  readonly origins: Origins;
  /** Branches and pickup locations may have changed; what was typed stays. */
  readonly onReload: () => void;
}

function Order({ first, origins, onReload }: OrderProps) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(first);
  const { work } = useCreation(({ shipmentId }) => {
    tell(text.created);
    go(addressOf(`shipments/${shipmentId}`));
  });
  const send = () => work.start(requestOf(draft));
  const reload = () => {
    work.forget();
    onReload();
  };
  const { pickupLocationCode } = draft.values;
  const pickup = origins.pickupLocations.find((place) => place.pickupLocationCode === pickupLocationCode);
  return (
    <div class="with-aside">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          void send().then((isDone) => isDone || focusFirstInvalid(form));
        }}
      >
        <ShipmentForm draft={draft} setDraft={setDraft} origins={origins} work={work} />
        {work.failure === undefined ? null : (
          <CreationFailure failure={work.failure} retry={() => void send()} reload={reload} />
        )}
      </form>
      <aside aria-label={text.title}>
        <Estimate pickup={pickup?.location} destination={requestOf(draft).destination} />
      </aside>
    </div>
  );
}

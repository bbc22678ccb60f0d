import { useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { Empty } from '../kit/empty.tsx';
import { focusFirstInvalid } from '../kit/focus-first-invalid.ts';
import { Form } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { tell } from '../kit/toasts.tsx';
import { service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { CreationFailure } from './creation-failure.tsx';
import { Estimate } from './estimate.tsx';
import { firstDraft, type Origins, readOrigins } from './origins.ts';
import { requestOf, type ShipmentDraft, sandboxDraft } from './shipment-draft.ts';
import { ShipmentForm } from './shipment-form.tsx';
import { useCreation } from './use-creation.ts';

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
export function NewShipment({
  deployment,
  query,
}: {
  readonly deployment: Deployment;
  readonly query: URLSearchParams;
}) {
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
      <Form
        class="sections"
        onSubmit={(form) => {
          void send().then((isDone) => isDone || focusFirstInvalid(form));
        }}
      >
        <ShipmentForm draft={draft} setDraft={setDraft} origins={origins} work={work} />
        {work.failure === undefined ? null : (
          <CreationFailure failure={work.failure} retry={() => void send()} reload={reload} />
        )}
      </Form>
      <aside aria-label={text.title}>
        <Estimate pickup={pickup?.location} destination={requestOf(draft).destination} />
      </aside>
    </div>
  );
}

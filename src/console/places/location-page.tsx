import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { ChangeFailure } from '../kit/change-failure.tsx';
import { Exact } from '../kit/exact.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { tell } from '../kit/toasts.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useLoaded, useWork } from '../service/use-loaded.ts';
import { locale, textsOf } from '../shell/locale.ts';
import { NoSuchPage } from '../shell/no-such-page.tsx';
import { addressOf, go } from '../shell/place.ts';
import { draftOf, type LocationDraft, termsOf } from './location-draft.ts';
import { LocationForm } from './location-form.tsx';
import { nameOf, TITLE_MAX } from './place-name.ts';
import { StatusButton, StatusPill } from './place-status.tsx';
import { findPickupLocation, type PickupLocation } from './read.ts';

const TEXTS = {
  en: {
    saved: 'Saved.',
    question: 'Deactivate this pickup location?',
    consequence: 'New shipments from here are refused. Those that exist go on.',
    dropPhone: 'Remove the phone',
  },
  ar: {
    saved: 'تم الحفظ.',
    question: 'هل تريد إيقاف موقع الاستلام هذا؟',
    consequence: 'ستُرفض الشحنات الجديدة من هنا. أما الشحنات القائمة فتستمر.',
    dropPhone: 'إزالة رقم الهاتف',
  },
};

interface LocationPageProps {
  readonly branchCode: string;
  readonly pickupLocationCode: string;
}

/** One pickup location, to look at and to change. */
export function LocationPage({ branchCode, pickupLocationCode }: LocationPageProps) {
  const loaded = useLoaded(`pickup location ${branchCode} ${pickupLocationCode}`, () =>
    findPickupLocation(branchCode, pickupLocationCode).then((current) => ({ current })),
  );
  return (
    <WhenLoaded loaded={loaded}>
      {({ current }) =>
        current === undefined ? <NoSuchPage /> : <Location current={current} reload={loaded.reload} />
      }
    </WhenLoaded>
  );
}

function Location({ current, reload }: { readonly current: PickupLocation; readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const [start] = useState(() => draftOf(current));
  const { pickupLocationCode, branchCode, version, status, maskedContactPhone } = current;
  const target = { pickupLocationCode, ifMatch: `"${version}"` };
  const back = addressOf(`places/${branchCode}`);
  const save = useWork(async (draft: LocationDraft) => {
    await service.pickupLocations.update.mutate({ ...target, ...termsOf(draft) });
    tell(text.saved);
    go(back);
  });
  const change = (next: PickupLocation['status']) =>
    next === 'ACTIVE'
      ? service.pickupLocations.activate.mutate(target)
      : service.pickupLocations.deactivate.mutate(target);
  return (
    <>
      <PageHead
        title={<bdi>{nameOf(current, locale)}</bdi>}
        isLong={nameOf(current, locale).length > TITLE_MAX}
        up={{ to: back, label: branchCode }}
        lead={
          <>
            <StatusPill status={status} /> <Exact>{pickupLocationCode}</Exact>
          </>
        }
      >
        {maskedContactPhone === null ? null : <DropPhone target={target} reload={reload} />}
        <StatusButton
          status={status}
          question={text.question}
          consequence={text.consequence}
          change={change}
          reload={reload}
        />
      </PageHead>
      <LocationForm
        start={start}
        current={draftOf(current)}
        maskedPhone={maskedContactPhone}
        work={save}
        reload={reload}
        back={back}
      />
    </>
  );
}

interface DropPhoneProps {
  readonly target: { readonly pickupLocationCode: string; readonly ifMatch: string };
  readonly reload: () => void;
}

/** A phone that is left empty in the form stays: taking it away is said by itself. */
function DropPhone({ target, reload }: DropPhoneProps) {
  const text = textsOf(TEXTS);
  const work = useWork(async () => {
    await service.pickupLocations.update.mutate({ ...target, contactPhone: null });
    tell(text.saved);
    reload();
  });
  return (
    <>
      <Button isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
        {text.dropPhone}
      </Button>
      <ChangeFailure work={work} reload={reload} fields={[]} />
    </>
  );
}

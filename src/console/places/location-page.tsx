import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { draftOf, type LocationDraft, LocationForm, termsOf } from './location-form.tsx';
import { findPickupLocation, nameOf, type PickupLocation, StatusButton, StatusPill, TITLE_MAX } from './place.tsx';

const TEXTS = {
  en: {
    saved: 'Saved.',
    question: 'Deactivate this pickup location?',
    consequence: 'New shipments from this location will be refused. Existing shipments continue.',
    dropPhone: 'Remove the phone number',
  },
  ar: {
    saved: 'تم الحفظ.',
    question: 'هل تريد إيقاف موقع الاستلام هذا؟',
    consequence: 'ستُرفض الشحنات الجديدة من هذا الموقع. أما الشحنات القائمة فتستمر.',
    dropPhone: 'إزالة رقم الهاتف',
  },
};

interface LocationPageProps {
  readonly branchCode: string;
  readonly pickupLocationCode: string;
}

/** The page of a pickup location, with its form. */
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
  const { pickupLocationCode, branchCode, version, status, maskedContactPhone } = current;
  const target = { pickupLocationCode, ifMatch: `"${version}"` };
  const back = addressOf(`places/${branchCode}`);
  const save = useWork(async (draft: LocationDraft) => {
    await service.pickupLocations.update.mutate({ ...target, ...termsOf(draft) });
    showToast(text.saved);
    navigate(back);
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

/** An empty phone field in the form means no change, so removing the phone number needs its own button. */
function DropPhone({ target, reload }: DropPhoneProps) {
  const text = textsOf(TEXTS);
  const work = useWork(async () => {
    await service.pickupLocations.update.mutate({ ...target, contactPhone: null });
    showToast(text.saved);
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

const NEW_LOCATION_PAGE_TEXTS = {
  en: { title: 'New pickup location', created: 'The pickup location is created.' },
  ar: { title: 'موقع استلام جديد', created: 'أُضيف موقع الاستلام.' },
};

export function NewLocationPage({ branchCode }: { readonly branchCode: string }) {
  const text = textsOf(NEW_LOCATION_PAGE_TEXTS);
  const back = addressOf(`places/${branchCode}`);
  const work = useWork(async (draft: LocationDraft) => {
    const order = { branchCode, pickupLocationCode: draft.code, ...termsOf(draft) };
    await service.pickupLocations.create.mutate(order);
    showToast(text.created);
    navigate(back);
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: branchCode }} />
      <LocationForm work={work} reload={() => undefined} back={back} />
    </>
  );
}

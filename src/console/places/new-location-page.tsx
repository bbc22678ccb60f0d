import { PageHead } from '../kit/page-head.tsx';
import { tell } from '../kit/toasts.tsx';
import { service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { type LocationDraft, NO_LOCATION, termsOf } from './location-draft.ts';
import { LocationForm } from './location-form.tsx';

const TEXTS = {
  en: { title: 'New pickup location', created: 'The pickup location is there.' },
  ar: { title: 'موقع استلام جديد', created: 'أُضيف موقع الاستلام.' },
};

export function NewLocationPage({ branchCode }: { readonly branchCode: string }) {
  const text = textsOf(TEXTS);
  const back = addressOf(`places/${branchCode}`);
  const work = useWork(async (draft: LocationDraft) => {
    const order = { branchCode, pickupLocationCode: draft.code, ...termsOf(draft) };
    await service.pickupLocations.create.mutate(order);
    tell(text.created);
    go(back);
  });
  return (
    <>
      <PageHead title={text.title} up={{ to: back, label: branchCode }} />
      <LocationForm start={NO_LOCATION} work={work} reload={() => undefined} back={back} />
    </>
  );
}

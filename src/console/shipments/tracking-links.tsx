import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';
import { lazy, Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';

/** Most shipments have no link. */
const TrackingLinkList = lazy(async () => (await import('./tracking-link-list.tsx')).TrackingLinkList);
/** It draws QR codes. */
const NewLink = lazy(async () => (await import('./new-link.tsx')).NewLink);

const TEXTS = {
  en: {
    title: 'Tracking links',
    lead: 'Anyone who has a link can track the shipment without signing in. The page shows neither the recipient’s name nor the address.',
    create: 'New tracking link',
    none: 'There are no links yet.',
    over: 'This shipment has ended, so you cannot create new links.',
  },
  ar: {
    title: 'روابط التتبع',
    lead: 'يستطيع من لديه الرابط تتبع الشحنة دون تسجيل الدخول. لا تعرض الصفحة اسم المستلم ولا عنوانه.',
    create: 'رابط تتبع جديد',
    none: 'لا توجد روابط بعد.',
    over: 'انتهت هذه الشحنة، فلا يمكن إنشاء روابط جديدة لها.',
  },
};

interface LinksProps {
  readonly shipmentId: string;
  /** Whether the shipment is in a terminal state. */
  readonly isOver: boolean;
}

/** The tracking links of a shipment: the list, and a button to create one. */
export function TrackingLinks({ shipmentId, isOver }: LinksProps) {
  const text = textsOf(TEXTS);
  const [isCreating, setIsCreating] = useState(false);
  const { value, failure, reload } = useLoaded(shipmentId, () => readAll(service.trackingLinks.list, { shipmentId }));
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="small quiet">{text.lead}</p>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value === undefined && failure === undefined ? <Skeleton lines={2} /> : null}
      {value?.length === 0 ? <p>{isOver ? text.over : text.none}</p> : null}
      {value === undefined || value.length === 0 ? null : (
        <TrackingLinkList shipmentId={shipmentId} links={value} onChanged={reload} />
      )}
      {isOver ? null : <Button onClick={() => setIsCreating(true)}>{text.create}</Button>}
      {isCreating ? <NewLink shipmentId={shipmentId} onCreated={reload} onClose={() => setIsCreating(false)} /> : null}
    </section>
  );
}

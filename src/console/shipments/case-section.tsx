import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { CarrierContact } from '../../ui/browser/kit/carrier-contact.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { lazy } from '../../ui/browser/kit/loading.tsx';
import type { CaseSummary } from './case-words.tsx';

/* Most shipments have no complaint, so what lists and makes them is loaded when it is needed. */
const CaseList = lazy(async () => (await import('./case-form.tsx')).CaseList);
const NewCase = lazy(async () => (await import('./case-form.tsx')).NewCase);

const TEXTS = {
  en: {
    title: 'Complaints',
    none: 'Is something wrong? The carrier answers within five business days.',
    open: 'Complain',
    ask: 'For what cannot wait:',
  },
  ar: {
    title: 'الشكاوى',
    none: 'هل حدث خطأ؟ يرد الناقل خلال خمسة أيام عمل.',
    open: 'قدّم شكوى',
    ask: 'لما لا يحتمل الانتظار:',
  },
};

interface SectionProps {
  readonly shipmentId: string;
  readonly cases: readonly CaseSummary[];
  readonly onChanged: () => void;
}

/** The complaints about a shipment, and a way to make one. */
export function CaseSection({ shipmentId, cases, onChanged }: SectionProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section class={cases.some(({ state }) => state === 'ANSWERED') ? 'notice' : 'part'}>
      <h2>{text.title}</h2>
      {cases.length === 0 ? <p class="small quiet">{text.none}</p> : <CaseList cases={cases} />}
      <Button isForCompany onClick={() => setIsAsking(true)}>
        {text.open}
      </Button>
      <CarrierContact>{text.ask}</CarrierContact>
      {isAsking ? <NewCase shipmentId={shipmentId} onChanged={onChanged} onClose={() => setIsAsking(false)} /> : null}
    </section>
  );
}

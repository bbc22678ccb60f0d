import { useState } from 'preact/hooks';
import { textsOf } from '../ui/browser/base/locale.ts';
import { TapButton } from './tap-button.tsx';
import type { DriverWork } from './use-work.ts';
import { words } from './words.ts';

const TEXTS = {
  en: {
    title: 'This could not be sent:',
    why: 'The service answers, but does not take it. It is tried again by itself. If it stays, call the operations, drop it, and do the step again.',
    drop: 'Drop it',
    sure: 'Yes, drop it',
    keep: 'Keep it',
  },
  ar: {
    title: 'تعذّر إرسال ما يلي:',
    why: 'الخدمة تعمل لكنها لم تستقبل هذا الإجراء. تُعاد المحاولة تلقائيًا. إن بقي كذلك فاتصل بالعمليات، ثم احذفه وأعد الخطوة.',
    drop: 'احذفه',
    sure: 'نعم، احذفه',
    keep: 'أبقِه',
  },
};

interface StuckProps {
  readonly shipmentId: string;
  readonly work: Pick<DriverWork, 'actions' | 'parcels' | 'drop'>;
}

/** Actions on a parcel that do not get through, although the service answers. The driver decides, because something may have happened at a door. */
export function Stuck({ shipmentId, work: { actions, parcels, drop } }: StuckProps) {
  const texts = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const names = actions.filter((action) => action.shipmentId === shipmentId).map(({ action }) => words[action]);
  return (
    <section aria-label={texts.title}>
      <div class="notice bad" role="alert">
        <p>
          <strong>
            {texts.title} {names.join(' · ')}
          </strong>
          <br />
          <bdi dir="ltr">{parcels.find((parcel) => parcel.shipmentId === shipmentId)?.shipmentNumber}</bdi>
        </p>
        <p>{texts.why}</p>
      </div>
      {isAsking ? (
        <div class="ways">
          <TapButton kind="danger" does={`drop ${shipmentId}`} onTap={() => drop(shipmentId)}>
            {texts.sure}
          </TapButton>
          <TapButton does={`keep ${shipmentId}`} onTap={() => setIsAsking(false)}>
            {texts.keep}
          </TapButton>
        </div>
      ) : (
        <TapButton kind="danger" does={`ask to drop ${shipmentId}`} onTap={() => setIsAsking(true)}>
          {texts.drop}
        </TapButton>
      )}
    </section>
  );
}

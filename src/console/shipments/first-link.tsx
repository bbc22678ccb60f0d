import { useEffect, useRef } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Skeleton } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Copy, Exact } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Tracking link',
    lead: 'Send it to your customer. They see where the parcel is, without signing in.',
    failed: 'The shipment is created, but its tracking link is not:',
    url: 'Address of the link',
  },
  ar: {
    title: 'رابط التتبع',
    lead: 'أرسله إلى عميلك ليعرف أين شحنته دون تسجيل الدخول.',
    failed: 'أُنشئت الشحنة، لكن رابط تتبعها لم يُنشأ:',
    url: 'عنوان الرابط',
  },
};

/** The shipment that the form has just created, until the page with its link is left. */
let created: string | undefined;

export function setCreated(shipmentId: string): void {
  created = shipmentId;
}

/** Whether the form has just created this shipment. A reload of its page finds the link in the list. */
export function isJustCreated(shipmentId: string): boolean {
  return created === shipmentId;
}

interface FirstLinkProps {
  readonly shipmentId: string;
  readonly onMade: () => void;
}

/** The tracking link of a shipment that was just created, ready to copy. */
export function FirstLink({ shipmentId, onMade }: FirstLinkProps) {
  const text = textsOf(TEXTS);
  const isMade = useRef(false);
  const { value, failure, reload } = useLoaded(`first link ${shipmentId}`, async () => {
    // The same after a lost answer and after a look at another page: there is one such link.
    const made = await service.trackingLinks.create.mutate({ shipmentId, idempotencyKey: `first-link-${shipmentId}` });
    isMade.current = true;
    onMade();
    return made;
  });
  useEffect(
    () => () => {
      if (isMade.current && created === shipmentId) created = undefined;
    },
    [],
  );
  return (
    <section class="part">
      <h2>{text.title}</h2>
      {failure === undefined ? null : (
        <>
          <p>{text.failed}</p>
          <ProblemNotice failure={failure} retry={reload} />
        </>
      )}
      {value === undefined && failure === undefined ? <Skeleton lines={1} /> : null}
      {value === undefined ? null : (
        <>
          <p class="reference">
            <Exact>{value.url}</Exact> <Copy text={value.url} what={text.url} />
          </p>
          <p class="small quiet">{text.lead}</p>
        </>
      )}
    </section>
  );
}

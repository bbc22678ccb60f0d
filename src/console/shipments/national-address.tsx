import type { ComponentChildren } from 'preact';
import { isTerminal, type ShipmentState } from '../../contract/shipment-state.ts';
import { formatDistance, textsOf } from '../../ui/browser/base/locale.ts';
import { Exact } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';

export type NationalAddress = Outputs['nationalAddresses']['get'];

const TEXTS = {
  en: {
    title: 'National Address',
    MISSING: 'It has none yet.',
    NOT_FOUND: 'The national registry does not know this code.',
    MISMATCH: 'It is far from the coordinates of the destination:',
    UNVERIFIED: 'The national registry has not answered yet.',
    VERIFIED: 'Confirmed by the national registry.',
    blocked: 'No driver gets the shipment until its National Address is valid.',
  },
  ar: {
    title: 'العنوان الوطني',
    MISSING: 'لا يوجد عنوان وطني لهذه الشحنة بعد.',
    NOT_FOUND: 'هذا الرمز غير موجود في سجل العناوين الوطنية.',
    MISMATCH: 'يبعد عن إحداثيات الوجهة:',
    UNVERIFIED: 'لم يُجب سجل العناوين الوطنية بعد.',
    VERIFIED: 'أكّده سجل العناوين الوطنية.',
    blocked: 'لن تُعرض الشحنة على أي سائق قبل تصحيح عنوانها الوطني.',
  },
};

interface NationalAddressProps {
  readonly shipment: { readonly shipmentId: string; readonly state: ShipmentState };
  readonly address: NationalAddress;
  /** What the reader can do about it. */
  readonly children: ComponentChildren;
}

/** Whether the shipment needs another short code, and may still get one. */
export function needsCode({ state }: { readonly state: ShipmentState }, { status }: NationalAddress): boolean {
  const isWrong = status === 'MISSING' || status === 'NOT_FOUND' || status === 'MISMATCH';
  return isWrong && !isTerminal(state) && state !== 'OUT_FOR_DELIVERY';
}

/** The National Address of a shipment, and what the registry says about it. */
export function NationalAddressSection({ shipment, address, children }: NationalAddressProps) {
  const text = textsOf(TEXTS);
  const { shortAddress, status, policy, blocksDispatch, distanceMeters } = address;
  if (policy === 'OFF' && shortAddress === null) return null;
  const { street, district, city } = address;
  const place = [street, district, city].filter((part) => part !== null).join('، ');
  return (
    <section class={blocksDispatch ? 'notice bad' : needsCode(shipment, address) ? 'notice' : 'part'}>
      <h2>{text.title}</h2>
      <p>
        {shortAddress === null ? null : (
          <>
            <Exact>{shortAddress}</Exact>{' '}
          </>
        )}
        {place === '' ? null : (
          <>
            <bdi>{place}</bdi>
            <br />
          </>
        )}
        {text[status]} {status === 'MISMATCH' && distanceMeters !== null ? formatDistance(distanceMeters) : null}
      </p>
      {blocksDispatch ? <p>{text.blocked}</p> : null}
      {children}
    </section>
  );
}

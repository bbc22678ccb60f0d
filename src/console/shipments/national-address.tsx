import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isTerminal, type ShipmentState } from '../../contract/shipment-state.ts';
import { formatDistance, textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { SHORT_ADDRESS } from '../../ui/browser/kit/readers.ts';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

type NationalAddress = Outputs['nationalAddresses']['get'];

const TEXTS = {
  en: {
    title: 'National Address',
    MISSING: 'It has none yet.',
    NOT_FOUND: 'The national registry does not know this code.',
    MISMATCH: 'It is far from the coordinates of the destination:',
    UNVERIFIED: 'The national registry has not answered yet.',
    VERIFIED: 'Confirmed by the national registry.',
    blocked: 'No driver gets the shipment until its National Address is valid.',
    code: 'Short code',
    hint: 'Four letters and four digits, such as RRRD2929.',
    save: 'Save',
    saved: 'Saved. The national registry is asked now.',
  },
  ar: {
    title: 'العنوان الوطني',
    MISSING: 'لا يوجد عنوان وطني لهذه الشحنة بعد.',
    NOT_FOUND: 'هذا الرمز غير موجود في سجل العناوين الوطنية.',
    MISMATCH: 'يبعد عن إحداثيات الوجهة:',
    UNVERIFIED: 'لم يُجب سجل العناوين الوطنية بعد.',
    VERIFIED: 'أكّده سجل العناوين الوطنية.',
    blocked: 'لن تُعرض الشحنة على أي سائق قبل تصحيح عنوانها الوطني.',
    code: 'الرمز المختصر',
    hint: 'أربعة أحرف لاتينية وأربعة أرقام، مثل \u2068RRRD2929\u2069.',
    save: 'حفظ',
    saved: 'حُفظ العنوان، ويجري التحقق منه في السجل الآن.',
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

interface CodeFormProps {
  readonly shipmentId: string;
  readonly address: NationalAddress;
  readonly onChanged: () => void;
}

/** Sets the short code. */
export function ShortCodeForm({ shipmentId, address: { version }, onChanged }: CodeFormProps) {
  const text = textsOf(TEXTS);
  const [code, setCode] = useState('');
  const work = useWork(async () => {
    await service.nationalAddresses.replace.mutate({ shipmentId, ifMatch: `"${version}"`, shortAddress: code });
    setCode('');
    showToast(text.saved);
    onChanged();
  });
  return (
    <Form onSubmit={() => work.start(undefined)}>
      <Field
        label={text.code}
        hint={text.hint}
        reads={SHORT_ADDRESS}
        value={code}
        onChange={setCode}
        error={violationAt(work.failure, 'shortAddress')}
        isRequired
      />
      <ChangeFailure work={work} reload={onChanged} fields={['shortAddress']} />
      <Button type="submit" kind="primary" isBusy={work.isBusy}>
        {text.save}
      </Button>
    </Form>
  );
}

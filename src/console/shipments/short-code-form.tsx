import { useState } from 'preact/hooks';
import { normalizeShortAddress } from '../../core/short-address.ts';
import { readCode, withoutUnseen } from '../../core/typed/text.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import type { Reader } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import type { NationalAddress } from './national-address.tsx';

const TEXTS = {
  en: {
    code: 'Short code',
    hint: 'Four letters and four digits, such as RRRD2929.',
    save: 'Save',
    saved: 'Saved. The national registry is asked now.',
  },
  ar: {
    code: 'الرمز المختصر',
    hint: 'أربعة أحرف لاتينية وأربعة أرقام، مثل \u2068RRRD2929\u2069.',
    save: 'حفظ',
    saved: 'حُفظ العنوان، ويجري التحقق منه في السجل الآن.',
  },
};

/** The short code of a National Address, also with what people paste around it. */
export const SHORT_CODE: Reader = {
  read: (typed) => normalizeShortAddress(withoutUnseen(typed)) ?? readCode(typed),
  dir: 'ltr',
};

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
        reads={SHORT_CODE}
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

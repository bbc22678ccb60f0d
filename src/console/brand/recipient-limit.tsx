import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { AMOUNT } from '../../ui/browser/kit/number-readers.ts';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Changes by recipients',
    limit: 'A recipient’s change may cost you up to (SAR, with VAT)',
    hint: 'What costs more waits two hours for your decision. With 0 every change that costs something waits.',
    save: 'Save limit',
    saved: 'Saved. It holds for changes from now on.',
  },
  ar: {
    title: 'تغييرات المستلمين',
    limit: 'أقصى تكلفة عليك لتغيير يطلبه المستلم (ريال، شاملة الضريبة)',
    hint: 'ما يكلف أكثر ينتظر قرارك ساعتين. مع القيمة 0 ينتظر كل تغيير له تكلفة.',
    save: 'حفظ الحد',
    saved: 'حُفظ، ويسري على التغييرات من الآن.',
  },
};

/** What a change of a recipient may cost the company without a decision. */
export function RecipientLimit() {
  const loaded = useLoaded('recipient settings', () => service.recipients.getSettings.query({}));
  return (
    <section class="part narrow">
      <h2>{textsOf(TEXTS).title}</h2>
      <WhenLoaded loaded={loaded}>
        {({ amendmentLimit }) => <LimitForm limit={amendmentLimit} reload={loaded.reload} />}
      </WhenLoaded>
    </section>
  );
}

function LimitForm({ limit, reload }: { readonly limit: string; readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const [amendmentLimit, setLimit] = useState(limit);
  const work = useWork(async () => {
    await service.recipients.setSettings.mutate({ amendmentLimit });
    showToast(text.saved);
    reload();
  });
  return (
    <Form onSubmit={() => work.start(undefined)}>
      <Field
        label={text.limit}
        hint={text.hint}
        reads={AMOUNT}
        value={amendmentLimit}
        onChange={setLimit}
        error={violationAt(work.failure, 'amendmentLimit', amendmentLimit)}
      />
      <ChangeFailure work={work} reload={reload} fields={['amendmentLimit']} />
      <Button type="submit" kind="primary" isBusy={work.isBusy}>
        {text.save}
      </Button>
    </Form>
  );
}

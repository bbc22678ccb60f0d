import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { DIGITS } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { statementTexts } from './statement-words.ts';

const TEXTS = {
  en: {
    hint: '15 digits, the first and the last are 3. It is shown on your statements. Leave it empty to remove it.',
    save: 'Save VAT number',
    saved: 'Saved. It is shown on your statements.',
    removed: 'Removed.',
  },
  ar: {
    hint: '15 رقمًا أولها 3 وآخرها 3. يظهر في كشوف حسابك. اتركه فارغًا لحذفه.',
    save: 'حفظ الرقم الضريبي',
    saved: 'حُفظ، ويظهر في كشوف حسابك.',
    removed: 'حُذف.',
  },
};

interface VatNumberProps {
  readonly vatNumber: string | null;
  readonly reload: () => void;
}

/** Owners enter the VAT number of the company here. */
export function VatNumber({ vatNumber, reload }: VatNumberProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, kept } = useDraft(() => ({ vatNumber: vatNumber ?? '' }), { isChange: true });
  /** A saved number is shown as it is stored, and not as it was typed. */
  const [saves, setSaves] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const work = useWork(async (typed: string) => {
    await service.companies.setVatNumber.mutate({ vatNumber: typed === '' ? null : typed });
    kept.forget();
    setSaves((before) => before + 1);
    showToast(typed === '' ? text.removed : text.saved);
    reload();
  });
  return (
    <details open={isOpen || kept.leftAt !== undefined} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{statementTexts.vatNumber}</summary>
      <div class="narrow">
        <Form kept={kept} onSubmit={() => work.start(draft.vatNumber)}>
          <Field
            key={saves}
            label={statementTexts.vatNumber}
            hint={text.hint}
            reads={DIGITS}
            value={draft.vatNumber}
            onChange={(value) => setDraft({ vatNumber: value })}
            error={violationAt(work.failure, 'vatNumber', draft.vatNumber)}
          />
          <ChangeFailure work={work} reload={reload} fields={['vatNumber']} />
          <Button type="submit" isBusy={work.isBusy}>
            {text.save}
          </Button>
        </Form>
      </div>
    </details>
  );
}

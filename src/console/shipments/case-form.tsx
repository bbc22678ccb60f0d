import { useState } from 'preact/hooks';
import { CASE_KINDS, type CaseKind } from '../../contract/case-state.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Choice, LongField } from '../../ui/browser/kit/field.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { CaseClock, type CaseSummary, KIND_WORDS } from './case-words.tsx';

const TEXTS = {
  en: {
    open: 'Complain',
    question: 'Complain about this shipment',
    kind: 'What is it about?',
    description: 'What happened?',
    hint: 'The carrier reads it. It is deleted with the recipient’s data.',
    done: 'The complaint is sent.',
  },
  ar: {
    open: 'قدّم شكوى',
    question: 'شكوى من هذه الشحنة',
    kind: 'ما موضوعها؟',
    description: 'ماذا حدث؟',
    hint: 'يقرؤها الناقل، وتُحذف مع بيانات المستلم.',
    done: 'أُرسلت الشكوى.',
  },
};

/** The complaints about a shipment. */
export function CaseList({ cases }: { readonly cases: readonly CaseSummary[] }) {
  return (
    <ul class="plain-list">
      {cases.map((one) => (
        <li key={one.caseId}>
          <Link to={addressOf(`complaints/${one.caseId}`)}>{KIND_WORDS[one.kind][locale]}</Link> <CaseClock one={one} />
        </li>
      ))}
    </ul>
  );
}

interface NewCaseProps {
  readonly shipmentId: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function NewCase({ shipmentId, onChanged, onClose }: NewCaseProps) {
  const text = textsOf(TEXTS);
  const [kind, setKind] = useState<CaseKind>('NOT_RECEIVED');
  const [description, setDescription] = useState('');
  const work = useWork(async () => {
    await service.cases.create.mutate({ shipmentId, kind, description });
    showToast(text.done);
    onChanged();
  });
  return (
    <Confirm
      title={text.question}
      verb={text.open}
      work={work}
      isDanger={false}
      isForCompany
      isReady={description !== ''}
      fields={['description']}
      reload={onChanged}
      onDone={onClose}
      onClose={onClose}
    >
      <Choice
        label={text.kind}
        value={kind}
        options={CASE_KINDS.map((value) => ({ value, label: KIND_WORDS[value][locale] }))}
        onChange={setKind}
      />
      <LongField
        label={text.description}
        hint={text.hint}
        value={description}
        onChange={setDescription}
        error={violationAt(work.failure, 'description')}
      />
    </Confirm>
  );
}

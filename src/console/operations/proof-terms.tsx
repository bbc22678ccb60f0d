import { useState } from 'preact/hooks';
import { ATTEMPT_POLICIES, PROOF_POLICIES } from '../../contract/proof-state.ts';
import { ATTEMPT_WAIT_SECONDS_MAX } from '../../core/limits.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Proof of delivery',
    proof: 'What a delivery proves',
    proofHint: 'A shipment that asks for a PIN, a photo or a signature itself is not affected.',
    NONE: 'Nothing',
    VALUABLE: 'A PIN for cash and for valuable parcels',
    ALWAYS: 'A PIN for every parcel',
    attempt: 'What a failure at the door proves',
    FREE: 'Nothing',
    EVIDENCE: 'That the driver was at the door',
    wait: 'Wait at the door, in seconds',
    waitHint: `From 0 to ${ATTEMPT_WAIT_SECONDS_MAX}. It counts only if a failure has to be proven.`,
    save: 'Save',
    saved: 'Saved. It also applies to parcels on their way.',
  },
  ar: {
    title: 'إثبات التوصيل',
    proof: 'ما الذي يُثبت التوصيل',
    proofHint: 'لا يتغير شيء في شحنة تطلب بنفسها رمزًا أو صورة أو توقيعًا.',
    NONE: 'لا شيء',
    VALUABLE: 'رمز للتحصيل النقدي وللشحنات الثمينة',
    ALWAYS: 'رمز لكل شحنة',
    attempt: 'ما الذي يُثبت تعذّر التوصيل عند الباب',
    FREE: 'لا شيء',
    EVIDENCE: 'أن السائق كان عند الباب',
    wait: 'الانتظار عند الباب بالثواني',
    waitHint: `من 0 إلى ${ATTEMPT_WAIT_SECONDS_MAX}. لا يُحسب إلا إذا لزم إثبات تعذّر التوصيل.`,
    save: 'حفظ',
    saved: 'تم الحفظ. يسري أيضًا على الشحنات التي في الطريق.',
  },
};

interface ProofTermsProps {
  readonly company: Outputs['operations']['companies']['get'];
  readonly reload: () => void;
}

/** What drivers have to prove of a company's deliveries and failures. */
export function ProofTerms({ company: { companyId, proofTerms }, reload }: ProofTermsProps) {
  const text = textsOf(TEXTS);
  const [proofPolicy, setProofPolicy] = useState(proofTerms.proofPolicy);
  const [attemptPolicy, setAttemptPolicy] = useState(proofTerms.attemptPolicy);
  const [wait, setWait] = useState(String(proofTerms.waitSeconds));
  const work = useWork(async () => {
    const terms = { proofPolicy, attemptPolicy, waitSeconds: Number(wait) };
    await service.operations.companies.setProofTerms.mutate({ companyId, ...terms });
    showToast(text.saved);
    reload();
  });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <Form onSubmit={() => void work.start(undefined)}>
        <Choice
          label={text.proof}
          hint={text.proofHint}
          value={proofPolicy}
          options={PROOF_POLICIES.map((value) => ({ value, label: text[value] }))}
          onChange={setProofPolicy}
        />
        <Choice
          label={text.attempt}
          value={attemptPolicy}
          options={ATTEMPT_POLICIES.map((value) => ({ value, label: text[value] }))}
          onChange={setAttemptPolicy}
        />
        <Field
          label={text.wait}
          hint={text.waitHint}
          value={wait}
          onChange={setWait}
          error={violationAt(work.failure, 'waitSeconds')}
          reads={WHOLE}
        />
        <ChangeFailure work={work} fields={['waitSeconds']} reload={reload} />
        <div class="actions">
          <Button type="submit" isBusy={work.isBusy}>
            {text.save}
          </Button>
        </div>
      </Form>
    </section>
  );
}

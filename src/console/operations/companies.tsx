import { useState } from 'preact/hooks';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import { textsOf } from '../base/locale.ts';
import type { AreaProps } from '../base/navigation.tsx';
import { Choice, Field } from '../kit/field.tsx';
import { Button, Form, focusFirstInvalid } from '../kit/form.tsx';
import { NoSuchPage, PageHead } from '../kit/page.tsx';
import { ChangeFailure } from '../kit/problem-notice.tsx';
import { showToast } from '../kit/toasts.tsx';
import { service } from '../service/calls.ts';
import { violationAt } from '../service/failure.ts';
import { useWork } from '../service/loading.ts';

const TEXTS = {
  en: {
    title: 'Companies',
    lead: 'Choose who approves the new shipments of a company.',
    companyId: 'Company id',
    companyHint: 'It is in the audit, in the log and in the answers of the company’s requests.',
    policy: 'Approval of new shipments',
    AUTOMATIC: 'The service approves them',
    MANUAL: 'An operator approves each of them',
    save: 'Save',
    saved: 'Saved. It applies to shipments from now on.',
  },
  ar: {
    title: 'الشركات',
    lead: 'اختر من يوافق على الشحنات الجديدة للشركة.',
    companyId: 'معرّف الشركة',
    companyHint: 'تجده في سجل التدقيق وفي السجلات وفي ردود طلبات الشركة.',
    policy: 'الموافقة على الشحنات الجديدة',
    AUTOMATIC: 'توافق الخدمة عليها',
    MANUAL: 'يوافق مشغّل على كل شحنة',
    save: 'حفظ',
    saved: 'تم الحفظ. يسري على الشحنات من الآن.',
  },
};

/** Settings of a company, by its id. */
export function Companies({ address: { id: companyInAddress, part } }: AreaProps) {
  const text = textsOf(TEXTS);
  const [companyId, setCompanyId] = useState(companyInAddress ?? '');
  const [approvalPolicy, setApprovalPolicy] = useState<ApprovalPolicy>('MANUAL');
  const work = useWork(async () => {
    await service.operations.companies.setApprovalPolicy.mutate({ companyId: companyId.trim(), approvalPolicy });
    showToast(text.saved);
  });
  if (part !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Form
        onSubmit={(form) => {
          void work.start(undefined).then((isDone) => {
            if (!isDone) focusFirstInvalid(form);
          });
        }}
      >
        <Field
          label={text.companyId}
          hint={text.companyHint}
          value={companyId}
          onChange={setCompanyId}
          error={violationAt(work.failure, 'companyId', companyId)}
          dir="ltr"
        />
        <Choice
          label={text.policy}
          value={approvalPolicy}
          options={(['MANUAL', 'AUTOMATIC'] as const).map((value) => ({ value, label: text[value] }))}
          onChange={setApprovalPolicy}
        />
        <ChangeFailure work={work} reload={() => undefined} fields={['companyId']} />
        <div class="actions">
          <Button type="submit" kind="primary" isBusy={work.isBusy}>
            {text.save}
          </Button>
        </div>
      </Form>
    </>
  );
}

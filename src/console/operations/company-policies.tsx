import { useState } from 'preact/hooks';
import { ADDRESS_POLICIES, type AddressPolicy } from '../../contract/address-state.ts';
import { APPROVAL_POLICIES, type ApprovalPolicy } from '../../contract/shipment-state.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    approval: 'Approval of new shipments',
    AUTOMATIC: 'The service approves them',
    MANUAL: 'An operator approves each of them',
    address: 'National Address of new shipments',
    OFF: 'Not asked for',
    ASK: 'Asked for, and not needed',
    REQUIRED: 'Needed before any driver gets a shipment',
    save: 'Save',
    saved: 'Saved. It applies to shipments from now on.',
  },
  ar: {
    approval: 'الموافقة على الشحنات الجديدة',
    AUTOMATIC: 'توافق الخدمة عليها',
    MANUAL: 'يوافق مشغّل على كل شحنة',
    address: 'العنوان الوطني للشحنات الجديدة',
    OFF: 'غير مطلوب',
    ASK: 'يُطلب دون إلزام',
    REQUIRED: 'إلزامي قبل عرض الشحنة على أي سائق',
    save: 'حفظ',
    saved: 'تم الحفظ. يسري على الشحنات من الآن.',
  },
};

interface PoliciesProps {
  readonly company: Outputs['operations']['companies']['get'];
  readonly reload: () => void;
}

/** What applies to the shipments that a company creates from now on. */
export function CompanyPolicies({ company: { companyId, approvalPolicy, addressPolicy }, reload }: PoliciesProps) {
  const text = textsOf(TEXTS);
  const { setApprovalPolicy, setAddressPolicy } = service.operations.companies;
  return (
    <div>
      <Policy<ApprovalPolicy>
        label={text.approval}
        policies={APPROVAL_POLICIES}
        current={approvalPolicy}
        save={(chosen) => setApprovalPolicy.mutate({ companyId, approvalPolicy: chosen })}
        reload={reload}
      />
      <Policy<AddressPolicy>
        label={text.address}
        policies={ADDRESS_POLICIES}
        current={addressPolicy}
        save={(chosen) => setAddressPolicy.mutate({ companyId, addressPolicy: chosen })}
        reload={reload}
      />
    </div>
  );
}

interface PolicyProps<Value> {
  readonly label: string;
  readonly policies: readonly Value[];
  readonly current: Value;
  readonly save: (chosen: Value) => Promise<unknown>;
  readonly reload: () => void;
}

function Policy<Value extends ApprovalPolicy | AddressPolicy>(props: PolicyProps<Value>) {
  const { label, policies, current, save, reload } = props;
  const text = textsOf(TEXTS);
  const [chosen, setChosen] = useState<Value>(current);
  const work = useWork(async () => {
    await save(chosen);
    showToast(text.saved);
    reload();
  });
  return (
    <section class="part">
      <h2>{label}</h2>
      <Form onSubmit={() => void work.start(undefined)}>
        <Choice
          label={label}
          value={chosen}
          options={policies.map((value) => ({ value, label: text[value] }))}
          onChange={setChosen}
        />
        <ChangeFailure work={work} reload={reload} />
        <div class="actions">
          <Button type="submit" isBusy={work.isBusy}>
            {text.save}
          </Button>
        </div>
      </Form>
    </section>
  );
}

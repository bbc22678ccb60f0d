import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { ChangeFailure, changedHint } from '../kit/change-failure.tsx';
import { faultAt } from '../kit/fault-at.ts';
import { Field } from '../kit/field.tsx';
import { Form } from '../kit/form.tsx';
import type { Work } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';

/** What a person types of a branch. */
export interface BranchDraft {
  readonly branchCode: string;
  readonly name: string;
  readonly nameAr: string;
  readonly cityCode: string;
}

const TEXTS = {
  en: {
    code: 'Code',
    codeHint: 'Capital letters, digits, - and _, 2 to 64 of them. It stays for good, as shipments name it.',
    name: 'Name',
    nameAr: 'Name in Arabic (optional)',
    city: 'City code',
    cityHint: 'For example RUH, JED, DMM.',
    save: 'Save',
    cancel: 'Cancel',
  },
  ar: {
    code: 'الرمز',
    codeHint: 'أحرف لاتينية كبيرة وأرقام و- و_، من 2 إلى 64. لا يتغير أبدًا لأن الشحنات تذكره.',
    name: 'الاسم',
    nameAr: 'الاسم بالعربية (اختياري)',
    city: 'رمز المدينة',
    cityHint: 'مثل RUH أو JED أو DMM.',
    save: 'حفظ',
    cancel: 'إلغاء',
  },
};

interface BranchFormProps {
  readonly start: BranchDraft;
  /** What stands at the service now; undefined for a new branch. */
  readonly current?: BranchDraft;
  readonly work: Work<BranchDraft>;
  readonly reload: () => void;
  readonly back: string;
}

/** The fields of a branch, each with what the service says is wrong with it. */
export function BranchForm({ start, current, work, reload, back }: BranchFormProps) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(start);
  const field = (name: keyof BranchDraft, hint?: string) => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: faultAt(work.failure, name, draft[name]),
    hint: (current === undefined ? undefined : changedHint(start[name], current[name])) ?? hint,
  });
  return (
    <Form onSubmit={() => void work.start(draft)}>
      {current === undefined ? (
        <Field label={text.code} dir="ltr" isFirst {...field('branchCode', text.codeHint)} />
      ) : null}
      <Field label={text.name} {...field('name')} />
      <Field label={text.nameAr} {...field('nameAr')} />
      <Field label={text.city} dir="ltr" {...field('cityCode', text.cityHint)} />
      <ChangeFailure work={work} reload={reload} fields={Object.keys(start)} />
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.save}
        </Button>
        <Link to={back} class="button">
          {text.cancel}
        </Link>
      </div>
    </Form>
  );
}

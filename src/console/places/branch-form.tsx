import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { CityField } from '../../ui/browser/kit/city-field.tsx';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Form, SaveOrCancel } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure, changedHint } from '../../ui/browser/kit/problem-notice.tsx';
import { NUMBERED } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork, type Work } from '../../ui/browser/service/loading.ts';
import { type Branch, findBranch, nameOf } from './place.tsx';

const TEXTS = {
  en: { create: 'New branch', edit: 'Edit branch', up: 'Branches', created: 'The branch is created.', saved: 'Saved.' },
  ar: { create: 'فرع جديد', edit: 'تعديل الفرع', up: 'الفروع', created: 'أُضيف الفرع.', saved: 'تم الحفظ.' },
};
const NOTHING: BranchDraft = { branchCode: '', name: '', nameAr: '', cityCode: '' };

export function NewBranchPage() {
  const text = textsOf(TEXTS);
  const work = useWork(async ({ branchCode, ...rest }: BranchDraft) => {
    await service.branches.create.mutate({ branchCode, ...rest, nameAr: orNull(rest.nameAr) });
    showToast(text.created);
    navigate(addressOf(`places/${branchCode}`));
  });
  const back = addressOf('places');
  return (
    <>
      <PageHead title={text.create} up={{ to: back, label: text.up }} />
      <BranchForm work={work} reload={() => undefined} back={back} />
    </>
  );
}

export function EditBranchPage({ branchCode }: { readonly branchCode: string }) {
  const loaded = useLoaded(`branch ${branchCode}`, () => findBranch(branchCode).then((branch) => ({ branch })));
  return (
    <WhenLoaded loaded={loaded}>
      {({ branch }) => (branch === undefined ? <NoSuchPage /> : <EditBranch current={branch} reload={loaded.reload} />)}
    </WhenLoaded>
  );
}

function EditBranch({ current, reload }: { readonly current: Branch; readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const back = addressOf(`places/${current.branchCode}`);
  const work = useWork(async ({ branchCode, name, nameAr, cityCode }: BranchDraft) => {
    const changes = { name, nameAr: orNull(nameAr), cityCode };
    await service.branches.update.mutate({ branchCode, ifMatch: `"${current.version}"`, ...changes });
    showToast(text.saved);
    navigate(back);
  });
  return (
    <>
      <PageHead title={text.edit} up={{ to: back, label: nameOf(current, locale) }} />
      <BranchForm current={draftOf(current)} work={work} reload={reload} back={back} />
    </>
  );
}

function draftOf({ branchCode, name, nameAr, cityCode }: Branch): BranchDraft {
  return { branchCode, name, nameAr: nameAr ?? '', cityCode };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

/** The values of the branch form. */
export interface BranchDraft {
  readonly branchCode: string;
  readonly name: string;
  readonly nameAr: string;
  readonly cityCode: string;
}

const BRANCH_FORM_TEXTS = {
  en: {
    code: 'Code',
    codeHint: '2 to 64 capital letters, digits, - and _. You cannot change it later, because shipments refer to it.',
    name: 'Name',
    nameAr: 'Name in Arabic (optional)',
    city: 'City',
    cityHint: 'The name of the city, or its code.',
  },
  ar: {
    code: 'الرمز',
    codeHint: 'من 2 إلى 64 من الأحرف اللاتينية الكبيرة والأرقام و- و_. لا يمكن تغييره لاحقًا لأن الشحنات تشير إليه.',
    name: 'الاسم',
    nameAr: 'الاسم بالعربية (اختياري)',
    city: 'المدينة',
    cityHint: 'اسم المدينة أو رمزها.',
  },
};

interface BranchFormProps {
  /** The values that the service has now, or undefined for a new branch. */
  readonly current?: BranchDraft;
  readonly work: Work<BranchDraft>;
  readonly reload: () => void;
  readonly back: string;
}

/** The form of a branch. Each field shows its own error. */
function BranchForm({ current, work, reload, back }: BranchFormProps) {
  const text = textsOf(BRANCH_FORM_TEXTS);
  const { draft, setDraft, start, kept } = useDraft(current ?? NOTHING, { isChange: current !== undefined });
  const field = (name: keyof BranchDraft, hint?: string) => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: violationAt(work.failure, name, draft[name]),
    hint: (current === undefined ? undefined : changedHint(start[name], current[name])) ?? hint,
  });
  return (
    <Form kept={kept} onSubmit={() => work.start(draft)}>
      {current === undefined ? (
        <Field label={text.code} reads={NUMBERED} isFirst {...field('branchCode', text.codeHint)} />
      ) : null}
      <Field label={text.name} {...field('name')} />
      <Field label={text.nameAr} {...field('nameAr')} />
      <CityField label={text.city} {...field('cityCode', text.cityHint)} />
      <ChangeFailure work={work} reload={reload} fields={Object.keys(start)} />
      <SaveOrCancel isBusy={work.isBusy} back={back} kept={kept} />
    </Form>
  );
}

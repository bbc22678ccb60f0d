import { useState } from 'preact/hooks';
import { PageHead } from '../kit/page-head.tsx';
import { tell } from '../kit/toasts.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useLoaded, useWork } from '../service/use-loaded.ts';
import { locale, textsOf } from '../shell/locale.ts';
import { NoSuchPage } from '../shell/no-such-page.tsx';
import { addressOf, go } from '../shell/place.ts';
import { type BranchDraft, BranchForm } from './branch-form.tsx';
import { nameOf } from './place-name.ts';
import { type Branch, findBranch } from './read.ts';

const TEXTS = {
  en: { create: 'New branch', edit: 'Edit branch', up: 'Branches', created: 'The branch is there.', saved: 'Saved.' },
  ar: { create: 'فرع جديد', edit: 'تعديل الفرع', up: 'الفروع', created: 'أُضيف الفرع.', saved: 'تم الحفظ.' },
};
const NOTHING: BranchDraft = { branchCode: '', name: '', nameAr: '', cityCode: '' };

export function NewBranchPage() {
  const text = textsOf(TEXTS);
  const work = useWork(async ({ branchCode, ...rest }: BranchDraft) => {
    await service.branches.create.mutate({ branchCode, ...rest, nameAr: orNull(rest.nameAr) });
    tell(text.created);
    go(addressOf(`places/${branchCode}`));
  });
  const back = addressOf('places');
  return (
    <>
      <PageHead title={text.create} up={{ to: back, label: text.up }} />
      <BranchForm start={NOTHING} work={work} reload={() => undefined} back={back} />
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
  const [start] = useState(() => draftOf(current));
  const back = addressOf(`places/${current.branchCode}`);
  const work = useWork(async ({ branchCode, name, nameAr, cityCode }: BranchDraft) => {
    const changes = { name, nameAr: orNull(nameAr), cityCode };
    await service.branches.update.mutate({ branchCode, ifMatch: `"${current.version}"`, ...changes });
    tell(text.saved);
    go(back);
  });
  return (
    <>
      <PageHead title={text.edit} up={{ to: back, label: nameOf(current, locale) }} />
      <BranchForm start={start} current={draftOf(current)} work={work} reload={reload} back={back} />
    </>
  );
}

function draftOf({ branchCode, name, nameAr, cityCode }: Branch): BranchDraft {
  return { branchCode, name, nameAr: nameAr ?? '', cityCode };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

import { useState } from 'preact/hooks';
import { listAll } from '../../client/list-all.ts';
import type { Locale } from '../../core/locale.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';

type Status = 'ACTIVE' | 'INACTIVE';

const TEXTS = {
  en: {
    ACTIVE: 'Active',
    INACTIVE: 'Inactive',
    activate: 'Activate',
    deactivate: 'Deactivate',
    activated: 'Activated.',
    deactivated: 'Deactivated.',
  },
  ar: {
    ACTIVE: 'نشط',
    INACTIVE: 'غير نشط',
    activate: 'تفعيل',
    deactivate: 'إيقاف',
    activated: 'تم التفعيل.',
    deactivated: 'تم الإيقاف.',
  },
};

export function StatusPill({ status }: { readonly status: Status }) {
  return (
    <span class="calm">
      <Pill tone={status === 'ACTIVE' ? 'good' : 'over'}>{textsOf(TEXTS)[status]}</Pill>
    </span>
  );
}

/** The options of a status filter. */
export function statusOptions() {
  const text = textsOf(TEXTS);
  return (['ACTIVE', 'INACTIVE'] as const).map((value) => ({ value, label: text[value] }));
}

interface StatusButtonProps {
  readonly status: Status;
  /** The title and the text of the confirmation before a deactivation. */
  readonly question: string;
  readonly consequence: string;
  readonly change: (status: Status) => Promise<unknown>;
  readonly reload: () => void;
}

/** Deactivates or activates a branch or pickup location. Neither can be deleted, because shipments refer to them. */
export function StatusButton({ status, question, consequence, change, reload }: StatusButtonProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const isActive = status === 'ACTIVE';
  const work = useWork(async () => {
    await change(isActive ? 'INACTIVE' : 'ACTIVE');
    showToast(isActive ? text.deactivated : text.activated);
    reload();
  });
  if (!isActive)
    return (
      <>
        <Button isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.activate}
        </Button>
        <ChangeFailure work={work} reload={reload} />
      </>
    );
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        {text.deactivate}
      </Button>
      {isAsking ? (
        <Confirm
          title={question}
          verb={text.deactivate}
          work={work}
          reload={reload}
          onDone={() => setIsAsking(false)}
          onClose={() => setIsAsking(false)}
        >
          <p>{consequence}</p>
        </Confirm>
      ) : null}
    </>
  );
}

interface Named {
  readonly name: string;
  readonly nameAr: string | null;
}

/** Longer names are shown in a smaller size. */
export const TITLE_MAX = 40;

/** The name in this language. */
export function nameOf({ name, nameAr }: Named, locale: Locale): string {
  return locale === 'ar' ? (nameAr ?? name) : name;
}

export type Branch = Outputs['branches']['list']['data'][number];
export type PickupLocation = Outputs['pickupLocations']['list']['data'][number];

/** Finds a branch by its code. The service has no operation that reads a single branch, so this searches the list. */
export function findBranch(branchCode: string): Promise<Branch | undefined> {
  return find(listAll(service.branches.list, {}), (branch) => branch.branchCode === branchCode);
}

/** Finds a pickup location of a branch by its code. */
export function findPickupLocation(
  branchCode: string,
  pickupLocationCode: string,
): Promise<PickupLocation | undefined> {
  return find(
    listAll(service.pickupLocations.list, { branchCode }),
    (location) => location.pickupLocationCode === pickupLocationCode,
  );
}

async function find<Entry>(entries: AsyncIterable<Entry>, isIt: (entry: Entry) => boolean): Promise<Entry | undefined> {
  for await (const entry of entries) if (isIt(entry)) return entry;
  return undefined;
}

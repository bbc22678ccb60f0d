import { useState } from 'preact/hooks';
import { Pill } from '../../ui/pill.tsx';
import { Button } from '../kit/button.tsx';
import { ChangeFailure } from '../kit/change-failure.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { tell } from '../kit/toasts.tsx';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';

type Status = 'ACTIVE' | 'INACTIVE';

const TEXTS = {
  en: {
    ACTIVE: 'Active',
    INACTIVE: 'Inactive',
    activate: 'Activate',
    deactivate: 'Deactivate',
    activated: 'It is active again.',
    deactivated: 'It is inactive now.',
  },
  ar: {
    ACTIVE: 'نشط',
    INACTIVE: 'غير نشط',
    activate: 'تفعيل',
    deactivate: 'إيقاف',
    activated: 'عاد نشطًا.',
    deactivated: 'أصبح غير نشط.',
  },
};

export function StatusPill({ status }: { readonly status: Status }) {
  return (
    <span class="calm">
      <Pill tone={status === 'ACTIVE' ? 'good' : 'over'}>{textsOf(TEXTS)[status]}</Pill>
    </span>
  );
}

/** The choice of a status, for a filter. */
export function statusOptions() {
  const text = textsOf(TEXTS);
  return (['ACTIVE', 'INACTIVE'] as const).map((value) => ({ value, label: text[value] }));
}

interface StatusButtonProps {
  readonly status: Status;
  /** What is asked before it is deactivated, and what comes of it. */
  readonly question: string;
  readonly consequence: string;
  readonly change: (status: Status) => Promise<unknown>;
  readonly reload: () => void;
}

/** Takes a place out of use, and back. Nothing is deleted: old shipments name it. */
export function StatusButton({ status, question, consequence, change, reload }: StatusButtonProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const isActive = status === 'ACTIVE';
  const work = useWork(async () => {
    await change(isActive ? 'INACTIVE' : 'ACTIVE');
    tell(isActive ? text.deactivated : text.activated);
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

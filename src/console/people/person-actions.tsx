import { useState } from 'preact/hooks';
import type { Role } from '../../contract/person-role.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { useSession } from '../session/session.tsx';
import { type Member, worded } from './member.tsx';

/** What a removed person had created for the company. */
export type SetUp = Outputs['people']['remove']['setUp'];

const TEXTS = {
  en: {
    invite: 'Send the invitation again',
    sent: 'The invitation is sent.',
    lost: 'Another person has proved this e-mail address, so no invitation can be sent to it. Remove this entry and invite the person by another address.',
    last: 'This is the last owner who can sign in, so the service keeps this person. Make another person an owner first, and wait until they have accepted.',
    MEMBER: {
      verb: 'Make a member',
      question: 'Make this owner a member?',
      consequence: 'A member works with shipments, and no longer manages people, the API credential and webhooks.',
    },
    OWNER: {
      verb: 'Make an owner',
      question: 'Make this person an owner?',
      consequence:
        'An owner has the same rights as you: people, the API credential, webhooks, and the record of all changes.',
    },
    changed: 'The role is changed. It counts from the next request of this person.',
    remove: 'Remove',
    removeQuestion: 'Remove this person?',
    removeConsequence:
      'They are signed out everywhere at once and can no longer sign in. Afterwards you see what they had set up.',
    self: 'This is you. You lose these rights at once.',
  },
  ar: {
    invite: 'إعادة إرسال الدعوة',
    sent: 'أُرسلت الدعوة.',
    lost: 'أثبت شخص آخر هذا البريد الإلكتروني، فلا يمكن إرسال الدعوة إليه. أزل هذا السجل وادعُ الشخص بعنوان آخر.',
    last: 'هذا آخر مالك يستطيع الدخول، لذلك يبقى في الشركة. اجعل شخصًا آخر مالكًا أولًا، وانتظر حتى يقبل الدعوة.',
    MEMBER: {
      verb: 'تحويل إلى عضو',
      question: 'هل تريد تحويل هذا المالك إلى عضو؟',
      consequence: 'يعمل العضو على الشحنات، ولا يدير الأشخاص أو بيانات اعتماد API أو الإشعارات البرمجية.',
    },
    OWNER: {
      verb: 'تحويل إلى مالك',
      question: 'هل تريد جعل هذا الشخص مالكًا؟',
      consequence: 'للمالك صلاحياتك نفسها: الأشخاص وبيانات اعتماد API والإشعارات البرمجية وسجل كل التغييرات.',
    },
    changed: 'تغيّر الدور. يسري من الطلب التالي لهذا الشخص.',
    remove: 'إزالة',
    removeQuestion: 'هل تريد إزالة هذا الشخص؟',
    removeConsequence: 'تنتهي كل جلساته فورًا ولا يستطيع الدخول بعد ذلك. ثم يظهر لك ما كان قد أعدّه.',
    self: 'هذا حسابك. تفقد هذه الصلاحيات فورًا.',
  },
};

interface PersonActionsProps {
  readonly member: Member;
  /** Whether the service keeps the person, as the last owner. */
  readonly isLast: boolean;
  readonly onChanged: () => void;
  readonly onRemoved: (setUp: SetUp) => void;
}

/** What an owner can change about a person. */
export function PersonActions({ member, isLast, onChanged, onRemoved }: PersonActionsProps) {
  const text = textsOf(TEXTS);
  const [asked, setAsked] = useState<'role' | 'removal'>();
  const close = () => setAsked(undefined);
  const { personId, role, email, hasAccepted } = member;
  const invite = useWork(async () => {
    await service.people.invite.mutate({ personId });
    showToast(text.sent);
  });
  const failure = worded(invite.failure);
  const next = role === 'OWNER' ? 'MEMBER' : 'OWNER';
  return (
    <>
      {failure === undefined ? null : <ProblemNotice failure={failure} />}
      {hasAccepted || email !== null ? null : <p class="notice">{text.lost}</p>}
      {isLast ? <p class="notice">{text.last}</p> : null}
      <div class="actions">
        {hasAccepted || email === null ? null : (
          <Button isBusy={invite.isBusy} onClick={() => void invite.start(undefined)}>
            {text.invite}
          </Button>
        )}
        {isLast ? null : (
          <>
            <Button onClick={() => setAsked('role')}>{text[next].verb}</Button>
            <Button kind="danger" onClick={() => setAsked('removal')}>
              {text.remove}
            </Button>
          </>
        )}
      </div>
      {asked === 'role' ? <RoleDialog member={member} next={next} onChanged={onChanged} onClose={close} /> : null}
      {asked === 'removal' ? <RemovalDialog member={member} onRemoved={onRemoved} onClose={close} /> : null}
    </>
  );
}

interface DialogProps extends Pick<PersonActionsProps, 'member'> {
  readonly onClose: () => void;
}

interface RoleDialogProps extends DialogProps, Pick<PersonActionsProps, 'onChanged'> {
  readonly next: Role;
}

function RoleDialog({ member: { personId, fullName }, next, onChanged, onClose }: RoleDialogProps) {
  const text = textsOf(TEXTS);
  const isSelf = useSession().session.person.personId === personId;
  const work = useWork(async () => {
    await service.people.changeRole.mutate({ personId, role: next });
    // The pages of a session begin with its role.
    if (isSelf) return location.reload();
    showToast(text.changed);
    return onChanged();
  });
  return (
    <Confirm
      title={text[next].question}
      verb={text[next].verb}
      work={{ ...work, failure: worded(work.failure) }}
      isDanger={next === 'MEMBER'}
      isForCompany
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{fullName}</bdi>
        </strong>
      </p>
      <p>{text[next].consequence}</p>
      {isSelf ? <p>{text.self}</p> : null}
    </Confirm>
  );
}

interface RemovalDialogProps extends DialogProps, Pick<PersonActionsProps, 'onRemoved'> {}

function RemovalDialog({ member: { personId, fullName }, onRemoved, onClose }: RemovalDialogProps) {
  const text = textsOf(TEXTS);
  const isSelf = useSession().session.person.personId === personId;
  const work = useWork(async () => {
    const { setUp } = await service.people.remove.mutate({ personId });
    onRemoved(setUp);
  });
  return (
    <Confirm
      title={text.removeQuestion}
      verb={text.remove}
      work={{ ...work, failure: worded(work.failure) }}
      isForCompany
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{fullName}</bdi>
        </strong>
      </p>
      <p>{text.removeConsequence}</p>
      {isSelf ? <p>{text.self}</p> : null}
    </Confirm>
  );
}

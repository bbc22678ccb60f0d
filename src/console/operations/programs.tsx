import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import type { AreaProps } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { Ago, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { NewSecret } from '../credentials/new-secret.tsx';

type Credential = Outputs['operations']['credentials']['list']['data'][number];
type Issued = Outputs['operations']['credentials']['create'];

const TEXTS = {
  en: {
    title: 'Programs',
    lead: 'A program of your team signs in with a credential of its own, so that the audit names it. It can do what operators can do, but cannot make credentials.',
    name: 'Name of the program',
    nameHint: 'Lower-case letters, digits and hyphens, such as nightly-export. A name is never used again.',
    create: 'Create the credential',
    empty: 'No program has a credential.',
    client: 'Client id',
    secret: 'Secret',
    created: 'Created',
    used: 'Last used',
    never: 'Never',
    actions: 'Actions',
    revoke: 'Revoke',
    question: 'Revoke this credential?',
    consequence: 'The program can no longer sign in, and its tokens end within a minute. This cannot be undone.',
    revoked: 'The credential is revoked.',
  },
  ar: {
    title: 'البرامج',
    lead: 'يسجّل كل برنامج لفريقك الدخول ببيانات اعتماد تخصه، ليظهر اسمه في سجل التدقيق. ويستطيع البرنامج كل ما يستطيعه المشغّلون، إلا إنشاء بيانات الاعتماد.',
    name: 'اسم البرنامج',
    nameHint: 'أحرف لاتينية صغيرة وأرقام وشرطات، مثل nightly-export. ولا يُستخدم الاسم مرة أخرى.',
    create: 'إنشاء بيانات الاعتماد',
    empty: 'لا توجد بيانات اعتماد لأي برنامج.',
    client: 'معرّف العميل',
    secret: 'السر',
    created: 'تاريخ الإنشاء',
    used: 'آخر استخدام',
    never: 'لم تُستخدم بعد',
    actions: 'الإجراءات',
    revoke: 'إبطال',
    question: 'هل تريد إبطال بيانات الاعتماد هذه؟',
    consequence: 'لن يستطيع البرنامج تسجيل الدخول، وتنتهي رموزه خلال دقيقة. لا يمكن التراجع عن ذلك.',
    revoked: 'أُبطلت بيانات الاعتماد.',
  },
};

/** The credentials of operators' programs, and the form that creates one. */
export function Programs({ address: { id, query } }: AreaProps) {
  const text = textsOf(TEXTS);
  const cursor = query.get('cursor') ?? undefined;
  const [issued, setIssued] = useState<Issued>();
  const loaded = useLoaded(`programs ${cursor}`, () =>
    service.operations.credentials.list.query(cursor === undefined ? {} : { cursor }),
  );
  if (id !== undefined) return <NoSuchPage />;
  const stored = () => {
    setIssued(undefined);
    loaded.reload();
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {issued === undefined ? <NewProgram onIssued={setIssued} /> : <NewSecret issued={issued} onStored={stored} />}
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? <Empty text={text.empty} /> : <Rows credentials={data} reload={loaded.reload} />}
            <Pager path="programs" filters={{}} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function NewProgram({ onIssued }: { readonly onIssued: (issued: Issued) => void }) {
  const text = textsOf(TEXTS);
  const [name, setName] = useState('');
  const work = useWork(async () => onIssued(await service.operations.credentials.create.mutate({ name })));
  return (
    <Form onSubmit={() => work.start(undefined)}>
      <Field
        label={text.name}
        hint={text.nameHint}
        value={name}
        onChange={setName}
        error={violationAt(work.failure, 'name', name)}
        dir="ltr"
      />
      <ChangeFailure work={work} reload={() => undefined} fields={['name']} />
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.create}
        </Button>
      </div>
    </Form>
  );
}

interface RowsProps {
  readonly credentials: readonly Credential[];
  readonly reload: () => void;
}

function Rows({ credentials, reload }: RowsProps) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={text.title}
      rows={credentials}
      keyOf={({ credentialId }) => credentialId}
      columns={[
        { label: text.client, cell: ({ clientId }) => <Exact>{clientId}</Exact> },
        { label: text.secret, isShort: true, cell: ({ secretHint }) => <Exact>{`…${secretHint}`}</Exact> },
        { label: text.created, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
        {
          label: text.used,
          isShort: true,
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : <Ago at={lastUsedAt} />),
        },
        { label: text.actions, cell: (credential) => <RevokeButton credential={credential} onRevoked={reload} /> },
      ]}
    />
  );
}

interface RevokeButtonProps {
  readonly credential: Credential;
  readonly onRevoked: () => void;
}

function RevokeButton({ credential: { credentialId, clientId }, onRevoked }: RevokeButtonProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  const work = useWork(async () => {
    await service.operations.credentials.revoke.mutate({ credentialId });
    showToast(text.revoked);
    onRevoked();
  });
  const close = () => {
    work.clearFailure();
    setIsAsking(false);
  };
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        {text.revoke}
      </Button>
      {isAsking ? (
        <Confirm title={text.question} verb={text.revoke} work={work} onDone={close} onClose={close}>
          <p>
            <Exact>{clientId}</Exact>
          </p>
          <p>{text.consequence}</p>
        </Confirm>
      ) : null}
    </>
  );
}

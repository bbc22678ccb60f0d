import { useState } from 'preact/hooks';
import { CASE_STATES, type CaseDecision, type CaseState } from '../../contract/case-state.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice, LongField } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, FactList, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure, ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import {
  CASE_STATE_WORDS,
  CaseClock,
  type CaseSummary,
  CaseTexts,
  KIND_WORDS,
  OPENER_WORDS,
  type WholeCase,
} from './case-words.tsx';
import { readOwn } from './pictures.tsx';

const TEXTS = {
  en: {
    title: 'Complaints',
    lead: 'What you, your customers and the service complained about. The carrier answers within five business days.',
    all: 'All',
    state: 'State',
    empty: 'There is no complaint in this state.',
    nobody: 'Nobody has complained. To complain, open the shipment.',
    shipments: 'Go to the shipments',
    number: 'Number',
    kind: 'About',
    openedBy: 'Opened by',
    opened: 'Opened',
    shipment: 'Shipment',
    see: 'See the shipment',
    up: 'All complaints',
    none: 'There is no such complaint in your company',
    accept: 'Accept the answer',
    dispute: 'I do not agree',
    disputeHint: 'Another person of the carrier then decides within two business days.',
    withdraw: 'Withdraw the complaint',
    decided: 'Done.',
    message: 'Write to the carrier',
    send: 'Send',
    sent: 'The message is sent.',
  },
  ar: {
    title: 'الشكاوى',
    lead: 'ما اشتكيت منه أنت وعملاؤك والخدمة. يرد الناقل خلال خمسة أيام عمل.',
    all: 'الكل',
    state: 'الحالة',
    empty: 'لا توجد شكوى بهذه الحالة.',
    nobody: 'لم يشتكِ أحد. لتقديم شكوى افتح الشحنة.',
    shipments: 'إلى الشحنات',
    number: 'الرقم',
    kind: 'الموضوع',
    openedBy: 'فتحها',
    opened: 'فُتحت',
    shipment: 'الشحنة',
    see: 'اعرض الشحنة',
    up: 'كل الشكاوى',
    none: 'لا توجد شكوى كهذه في شركتك',
    accept: 'أقبل الرد',
    dispute: 'لا أوافق',
    disputeHint: 'يقرر عندئذ شخص آخر لدى الناقل خلال يومي عمل.',
    withdraw: 'اسحب الشكوى',
    decided: 'تم.',
    message: 'اكتب إلى الناقل',
    send: 'أرسل',
    sent: 'أُرسلت الرسالة.',
  },
};

/** The complaints of the company, newest first, and one of them. */
export function Cases({ address: { id, part, query } }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  return id === undefined ? <CaseList query={query} /> : <CasePage caseId={id} />;
}

function CaseList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const state = CASE_STATES.find((one) => one === query.get('state'));
  const cursor = query.get('cursor') ?? undefined;
  const loaded = useLoaded(`complaints ${state} ${cursor}`, () =>
    service.cases.list.query({
      ...(state === undefined ? {} : { state }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const options = [
    { value: '' as const, label: text.all },
    ...CASE_STATES.map((value) => ({ value, label: CASE_STATE_WORDS[value].label[locale] })),
  ];
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <div class="narrow">
        <Choice<CaseState | ''>
          label={text.state}
          value={state ?? ''}
          options={options}
          onChange={(value) => navigate(addressOf('complaints', value === '' ? {} : { state: value }))}
        />
      </div>
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={state === undefined ? text.nobody : text.empty}>
                <Link to={addressOf('shipments')}>{text.shipments}</Link>
              </Empty>
            ) : (
              <Listing
                caption={text.title}
                rows={data}
                keyOf={({ caseId }: CaseSummary) => caseId}
                columns={[
                  {
                    label: text.number,
                    cell: ({ caseId, number }) => (
                      <Link to={addressOf(`complaints/${caseId}`)}>
                        <bdi dir="ltr">{number}</bdi>
                      </Link>
                    ),
                  },
                  { label: text.kind, cell: ({ kind }) => KIND_WORDS[kind][locale] },
                  { label: text.state, cell: (one) => <CaseClock one={one} /> },
                  { label: text.openedBy, cell: ({ openedBy }) => OPENER_WORDS[openedBy][locale] },
                  { label: text.opened, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
                  {
                    label: text.shipment,
                    cell: ({ shipmentId }) => <Link to={addressOf(`shipments/${shipmentId}`)}>{text.see}</Link>,
                  },
                ]}
              />
            )}
            <Pager
              path="complaints"
              filters={state === undefined ? {} : { state }}
              cursor={cursor}
              nextCursor={page.nextCursor}
            />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function CasePage({ caseId }: { readonly caseId: string }) {
  const text = textsOf(TEXTS);
  const up = { to: addressOf('complaints'), label: text.up };
  const loaded = useLoaded(`complaint ${caseId}`, () => service.cases.get.query({ caseId }));
  return (
    <WhenLoaded loaded={loaded} sought={{ name: text.title, none: text.none, up }}>
      {(whole) => (
        <>
          <PageHead title={KIND_WORDS[whole.kind][locale]} up={up} />
          <p>
            <CaseClock one={whole} />
          </p>
          <Decisions whole={whole} onChanged={loaded.reload} />
          <FactList
            facts={[
              [text.number, <Exact key="number">{whole.number}</Exact>],
              [text.openedBy, OPENER_WORDS[whole.openedBy][locale]],
              [text.opened, <Moment key="opened" at={whole.createdAt} />],
              [
                text.shipment,
                <Link key="shipment" to={addressOf(`shipments/${whole.shipmentId}`)}>
                  {text.see}
                </Link>,
              ],
            ]}
          />
          <CaseTexts whole={whole} readPicture={readOwn} />
          {whole.state === 'CLOSED' ? null : (
            <MessageForm key={whole.version} caseId={caseId} onChanged={loaded.reload} />
          )}
        </>
      )}
    </WhenLoaded>
  );
}

interface PartProps {
  readonly whole: WholeCase;
  readonly onChanged: () => void;
}

/** What the merchant can decide now. */
function Decisions({ whole: { caseId, version, state, openedBy }, onChanged }: PartProps) {
  const text = textsOf(TEXTS);
  const work = useWork(async (decision: CaseDecision) => {
    await service.cases.decide.mutate({ caseId, decision, ifMatch: `"${version}"` });
    showToast(text.decided);
    onChanged();
  });
  const decide = (decision: CaseDecision) => void work.start(decision);
  if (state === 'CLOSED' || (state !== 'ANSWERED' && openedBy !== 'MERCHANT')) return null;
  return (
    <>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} reload={onChanged} />}
      <div class="actions">
        {state === 'ANSWERED' ? (
          <>
            <Button kind="primary" isForCompany isBusy={work.isBusy} onClick={() => decide('ACCEPT')}>
              {text.accept}
            </Button>
            <Button isForCompany isBusy={work.isBusy} onClick={() => decide('DISPUTE')}>
              {text.dispute}
            </Button>
          </>
        ) : null}
        {openedBy === 'MERCHANT' ? (
          <Button isForCompany isBusy={work.isBusy} onClick={() => decide('WITHDRAW')}>
            {text.withdraw}
          </Button>
        ) : null}
      </div>
      {state === 'ANSWERED' ? <p class="small quiet">{text.disputeHint}</p> : null}
    </>
  );
}

function MessageForm({ caseId, onChanged }: { readonly caseId: string; readonly onChanged: () => void }) {
  const text = textsOf(TEXTS);
  const [written, setWritten] = useState('');
  const work = useWork(async () => {
    await service.cases.addMessage.mutate({ caseId, text: written });
    showToast(text.sent);
    onChanged();
  });
  const isReady = written !== '';
  return (
    <Form onSubmit={() => (isReady ? void work.start(undefined) : undefined)}>
      <LongField label={text.message} value={written} onChange={setWritten} error={violationAt(work.failure, 'text')} />
      <ChangeFailure work={work} fields={['text']} reload={onChanged} />
      <div class="actions">
        <Button type="submit" isForCompany isBusy={work.isBusy} isDisabled={!isReady}>
          {text.send}
        </Button>
      </div>
    </Form>
  );
}

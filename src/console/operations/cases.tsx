import { useState } from 'preact/hooks';
import { CASE_TEXT_LENGTH_MAX, isOwed, REGULATOR_PHONE } from '../../contract/case-state.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { LongField } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, FactList, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure } from '../../ui/browser/kit/problem-notice.tsx';
import { Countdown, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useEvery, useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { CaseClock, CaseTexts, KIND_WORDS, OPENER_WORDS, type WholeCase } from '../shipments/case-words.tsx';

type Owed = Outputs['operations']['cases']['list']['data'][number];

const REFRESH_MS = 15_000;
const TEXTS = {
  en: {
    title: 'Complaints',
    lead: 'Complaints that wait for an answer. The least time left comes first.',
    empty: 'No complaint waits for an answer.',
    queues: 'Go to the queues',
    number: 'Number',
    kind: 'About',
    company: 'Company',
    shipment: 'Shipment',
    left: 'Time left',
    over: 'overdue',
    clock: 'State',
    up: 'All complaints',
    none: 'There is no such complaint',
    openedBy: 'Opened by',
    opened: 'Opened',
    seen: 'The audit has your name beside this recipient.',
    answer: 'Answer',
    decide: 'Decide the dispute',
    second: `Another person has answered before. Your decision is the last one; the text names the regulator, ${REGULATOR_PHONE}.`,
    hint: `At most ${CASE_TEXT_LENGTH_MAX} characters. The person who complained reads it, so do not tell a recipient any price.`,
    send: 'Send the answer',
    sent: 'The answer is sent.',
    nothing: 'Nobody owes an answer now.',
  },
  ar: {
    title: 'الشكاوى',
    lead: 'شكاوى تنتظر الرد، الأقل وقتًا أولًا.',
    empty: 'لا توجد شكوى تنتظر الرد.',
    queues: 'إلى قوائم الانتظار',
    number: 'الرقم',
    kind: 'الموضوع',
    company: 'الشركة',
    shipment: 'الشحنة',
    left: 'الوقت المتبقي',
    over: 'متأخرة',
    clock: 'الحالة',
    up: 'كل الشكاوى',
    none: 'لا توجد شكوى كهذه',
    openedBy: 'فتحها',
    opened: 'فُتحت',
    seen: 'سُجّل في سجل التدقيق أنك اطلعت على بيانات هذا المستلم.',
    answer: 'الرد',
    decide: 'القرار في الاعتراض',
    second: `سبق أن ردّ شخص آخر. قرارك هو الأخير، ويذكر النص رقم الجهة المنظمة ${REGULATOR_PHONE}.`,
    hint: `لا يزيد على ${CASE_TEXT_LENGTH_MAX} حرف. يقرؤه صاحب الشكوى. لا تكتب سعرًا لمستلم.`,
    send: 'أرسل الرد',
    sent: 'أُرسل الرد.',
    nothing: 'لا أحد مدين برد الآن.',
  },
};

/** Complaints that wait for an answer, and one of them. */
export function OperatorCases({ address: { id, part, query } }: AreaProps) {
  if (id === undefined) return <Queue cursor={query.get('cursor') ?? undefined} />;
  return part === undefined ? <NoSuchPage /> : <OneCase companyId={id} caseId={part} />;
}

function Queue({ cursor }: { readonly cursor: string | undefined }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`cases ${cursor}`, () =>
    service.operations.cases.list.query(cursor === undefined ? {} : { cursor }),
  );
  useEvery(REFRESH_MS, loaded.reload, loaded.value !== undefined);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={text.empty}>
                <Link to={addressOf('')}>{text.queues}</Link>
              </Empty>
            ) : (
              <Listing caption={text.title} rows={data} keyOf={({ caseId }) => caseId} columns={columnsOf(text)} />
            )}
            <Pager path="cases" filters={{}} cursor={cursor} nextCursor={page.nextCursor} isOldestFirst />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function columnsOf(text: (typeof TEXTS)['en']) {
  return [
    {
      label: text.number,
      cell: ({ caseId, companyId, number }: Owed) => (
        <Link to={addressOf(`cases/${companyId}/${caseId}`)}>
          <bdi dir="ltr">{number}</bdi>
        </Link>
      ),
    },
    { label: text.kind, cell: ({ kind }: Owed) => KIND_WORDS[kind][locale] },
    {
      label: text.left,
      isShort: true,
      cell: ({ answerBy }: Owed) => <Countdown until={answerBy} over={text.over} />,
    },
    { label: text.clock, cell: (one: Owed) => <CaseClock one={one} /> },
    { label: text.company, cell: ({ companyName }: Owed) => <bdi>{companyName}</bdi> },
    {
      label: text.shipment,
      cell: ({ shipmentId, companyId, shipmentNumber }: Owed) => (
        <Link to={addressOf(`shipments/${companyId}/${shipmentId}`)}>
          <Exact>{shipmentNumber}</Exact>
        </Link>
      ),
    },
  ];
}

function OneCase({ companyId, caseId }: { readonly companyId: string; readonly caseId: string }) {
  const text = textsOf(TEXTS);
  const up = { to: addressOf('cases'), label: text.up };
  const loaded = useLoaded(`case ${caseId}`, () => service.operations.cases.get.query({ companyId, caseId }));
  return (
    <WhenLoaded loaded={loaded} sought={{ name: text.title, none: text.none, up }}>
      {(whole) => (
        <>
          <PageHead title={KIND_WORDS[whole.kind][locale]} up={up} lead={text.seen} />
          <p>
            <CaseClock one={whole} />
          </p>
          <FactList
            facts={[
              [text.number, <Exact key="number">{whole.number}</Exact>],
              [text.openedBy, OPENER_WORDS[whole.openedBy][locale]],
              [text.opened, <Moment key="opened" at={whole.createdAt} />],
              [
                text.shipment,
                <Link key="shipment" to={addressOf(`shipments/${companyId}/${whole.shipmentId}`)}>
                  {text.shipment}
                </Link>,
              ],
            ]}
          />
          <CaseTexts
            whole={whole}
            readPicture={(mediaAssetId) => service.operations.cases.picture.query({ companyId, caseId, mediaAssetId })}
          />
          <AnswerForm key={whole.version} whole={whole} companyId={companyId} onChanged={loaded.reload} />
        </>
      )}
    </WhenLoaded>
  );
}

interface AnswerProps {
  readonly whole: WholeCase;
  readonly companyId: string;
  readonly onChanged: () => void;
}

function AnswerForm({ whole: { caseId, version, state }, companyId, onChanged }: AnswerProps) {
  const text = textsOf(TEXTS);
  const [written, setWritten] = useState('');
  const work = useWork(async () => {
    const order = { companyId, caseId, version, text: written, outcome: 'EXPLAINED' } as const;
    await service.operations.cases.answer.mutate(order);
    showToast(text.sent);
    onChanged();
  });
  if (!isOwed(state)) return <p class="quiet">{text.nothing}</p>;
  const isReady = written !== '';
  return (
    <Form onSubmit={() => (isReady ? void work.start(undefined) : undefined)}>
      <h2>{state === 'DISPUTED' ? text.decide : text.answer}</h2>
      {state === 'DISPUTED' ? <p>{text.second}</p> : null}
      <LongField
        label={text.answer}
        hint={text.hint}
        value={written}
        onChange={setWritten}
        error={violationAt(work.failure, 'text')}
      />
      <ChangeFailure work={work} fields={['text']} reload={onChanged} />
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy} isDisabled={!isReady}>
          {text.send}
        </Button>
      </div>
    </Form>
  );
}

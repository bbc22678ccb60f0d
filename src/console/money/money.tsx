import { useState } from 'preact/hooks';
import { riyadhDay } from '../../core/riyadh.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { formatCount, formatMoney, formatMonth, formatPercent, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { TableDownload } from '../../ui/browser/kit/download.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { lazy, WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Code, Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { useIsOwner } from '../session/session.tsx';
import { readLines, tableOf } from './statement-lines.ts';
import type { SheetProps } from './statement-sheet.tsx';
import { debtOf, isShown, nameOfLine, type Statement, statementTexts } from './statement-words.ts';
import './money.css';

const StatementSheet = lazy(async () => (await import('./statement-sheet.tsx')).StatementSheet);
const VatNumber = lazy(async () => (await import('./vat-number.tsx')).VatNumber);

/** With some three lines each, a file takes up to 1,000 reads, fewer than the service allows in a minute, and paper has some twenty sheets. */
const FILE_SHIPMENTS_MAX = 30_000;
const SHEET_SHIPMENTS_MAX = 300;

const TEXTS = {
  en: {
    title: 'Money',
    lead: 'What do I owe for this month, and what cash was collected?',
    month: 'Month',
    earlier: 'Previous month',
    later: 'Next month',
    running: 'The month is not over: these are the lines so far.',
    empty: 'Nothing was charged in this month.',
    shipments: 'Go to the shipments',
    lines: 'Lines',
    csv: 'CSV',
    xlsx: 'Excel',
    print: 'Print',
    reading: 'Lines read:',
    onPaper: 'This month has too many lines for paper. The print has its sums; the files have all lines.',
    noFile: 'This month has too many lines for this page. Programs read them as CSV over the API:',
    api: 'Request of the CSV',
  },
  ar: {
    title: 'كشف الحساب',
    lead: 'كم عليّ لهذا الشهر، وكم حُصّل لي؟',
    month: 'الشهر',
    earlier: 'الشهر السابق',
    later: 'الشهر التالي',
    running: 'لم ينته الشهر بعد: تظهر هنا السطور حتى الآن.',
    empty: 'لا مبالغ عليك في هذا الشهر.',
    shipments: 'إلى الشحنات',
    lines: 'السطور',
    csv: 'CSV',
    xlsx: 'Excel',
    print: 'طباعة',
    reading: 'السطور المقروءة:',
    onPaper: 'سطور هذا الشهر أكثر مما يناسب الورق. في المطبوع مجاميعه، وفي الملفين كل السطور.',
    noFile: 'سطور هذا الشهر أكثر مما تتسع له هذه الصفحة. تقرؤها البرامج بصيغة CSV عبر واجهة البرمجة:',
    api: 'طلب ملف CSV',
  },
};

/** What the company owes for a month, and what drivers collected for it in that month. */
export function Money({ address: { id, query } }: AreaProps) {
  const text = textsOf(TEXTS);
  const current = riyadhDay(companyNow()).slice(0, '2026-11'.length);
  const month = query.get('month') ?? current;
  const cursor = query.get('cursor') ?? undefined;
  const loaded = useLoaded(`statement ${month} ${cursor}`, () => service.statements.get.query({ month, cursor }));
  const isOwner = useIsOwner();
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <nav class="month" aria-label={text.month}>
        <Link to={addressOf('money', { month: monthFrom(month, -1) })}>{text.earlier}</Link>
        <strong>{formatMonth(month)}</strong>
        {month < current ? <Link to={addressOf('money', { month: monthFrom(month, 1) })}>{text.later}</Link> : null}
      </nav>
      <WhenLoaded loaded={loaded}>
        {(statement) => (
          <>
            {month === current ? <p class="quiet">{text.running}</p> : null}
            <Sums statement={statement} />
            {statement.data.length === 0 ? (
              <Empty text={text.empty}>
                <Link to={addressOf('shipments')}>{text.shipments}</Link>
              </Empty>
            ) : (
              <>
                <Papers statement={statement} />
                <Lines statement={statement} />
                <Pager
                  path="money"
                  filters={{ month }}
                  cursor={cursor}
                  nextCursor={statement.page.nextCursor}
                  isOldestFirst
                />
                <p class="small quiet">{statementTexts.rounding}</p>
              </>
            )}
            {isOwner ? <VatNumber vatNumber={statement.company.vatNumber} reload={loaded.reload} /> : null}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

interface StatementProps {
  readonly statement: Statement;
}

function Sums({ statement: { totals, cod, currency, company } }: StatementProps) {
  const money = (amount: string) => <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>;
  const debt = debtOf(totals);
  return (
    <>
      <dl class="owed">
        <div>
          <dt>{debt.name}</dt>
          <dd class="answer">{money(debt.total)}</dd>
          <dd class="small">
            {statementTexts.net}: {money(debt.net)} · {statementTexts.vat}: {money(debt.vat)} ·{' '}
            {statementTexts.shipments}: {formatCount(totals.shipments)}
          </dd>
        </div>
        <div>
          <dt>{statementTexts.cash}</dt>
          <dd class="answer">{money(cod.amount)}</dd>
          <dd class="small">
            {statementTexts.shipments}: {formatCount(cod.shipments)}
          </dd>
        </div>
      </dl>
      <p>
        <strong>{statementTexts.notTax}</strong> <bdi>{company.name}</bdi>
        {company.vatNumber === null ? null : (
          <>
            {' '}
            · {statementTexts.vatNumber} <bdi dir="ltr">{company.vatNumber}</bdi>
          </>
        )}
      </p>
    </>
  );
}

/** The statement as a file and on paper. */
function Papers({ statement }: StatementProps) {
  const text = textsOf(TEXTS);
  const { month, currency, totals } = statement;
  const isForFile = totals.shipments <= FILE_SHIPMENTS_MAX;
  const isForPaper = totals.shipments <= SHEET_SHIPMENTS_MAX;
  const [read, setRead] = useState(0);
  const [printed, setPrinted] = useState<Pick<SheetProps, 'statement' | 'lines'>>();
  const print = useWork(async () => {
    setPrinted(isForPaper ? await readWhole() : { statement, lines: undefined });
  });
  const readWhole = () => readLines(month, setRead).finally(() => setRead(0));
  const readTable = async () => tableOf((await readWhole()).lines, currency);
  return (
    <>
      <div class="actions">
        {isForFile ? <TableDownload labels={text} name={`statement-${month}`} read={readTable} /> : null}
        <Button isBusy={print.isBusy} onClick={() => void print.start(undefined)}>
          {text.print}
        </Button>
      </div>
      {read === 0 ? null : (
        <p class="small quiet">
          {text.reading} {formatCount(read)}
        </p>
      )}
      {isForPaper || !isForFile ? null : <p class="small quiet">{text.onPaper}</p>}
      {isForFile ? null : (
        <>
          <p>{text.noFile}</p>
          <Code text={`GET /v2/external/statements/${month}\nAccept: text/csv`} what={text.api} />
        </>
      )}
      {print.failure === undefined ? null : <ProblemNotice failure={print.failure} />}
      {printed === undefined ? null : <StatementSheet {...printed} onPrinted={() => setPrinted(undefined)} />}
    </>
  );
}

function Lines({ statement: { data, currency } }: StatementProps) {
  const text = textsOf(TEXTS);
  const money = (amount: string) => <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>;
  const rows = data.filter(isShown).map((line, index) => ({ ...line, index }));
  return (
    <Listing
      caption={text.lines}
      rows={rows}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          label: statementTexts.shipment,
          cell: ({ shipmentId, shipmentNumber, externalReference }) => (
            <>
              <Link to={addressOf(`shipments/${shipmentId}`)}>
                <bdi dir="ltr">{shipmentNumber}</bdi>
              </Link>{' '}
              <bdi>{externalReference}</bdi>
            </>
          ),
        },
        { label: statementTexts.what, cell: nameOfLine },
        { label: statementTexts.time, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { label: statementTexts.net, isShort: true, cell: ({ netAmount }) => money(netAmount) },
        {
          label: statementTexts.vat,
          isShort: true,
          cell: ({ vatAmount, vatRate }) => (
            <>
              {money(vatAmount)} <bdi dir="ltr">({formatPercent(vatRate)})</bdi>
            </>
          ),
        },
        { label: statementTexts.lineTotal, isShort: true, cell: ({ totalAmount }) => money(totalAmount) },
      ]}
    />
  );
}

/** So many months after this one, `2026-11`. */
function monthFrom(month: string, after: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return month;
  date.setUTCMonth(date.getUTCMonth() + after);
  return date.toISOString().slice(0, '2026-11'.length);
}

import { useState } from 'preact/hooks';
import type { CompanyState } from '../../contract/operator-company.ts';
import type { LocalText } from '../../core/locale.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { PageHead } from '../../ui/browser/kit/page.tsx';
import { Code, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';
import { Fact } from '../shipments/shipment-facts.tsx';
import { CompanyPolicies } from './company-policies.tsx';
import { ProofTerms } from './proof-terms.tsx';
import { ReasonedButton } from './reasoned-action.tsx';
import { STATUS_WORDS } from './registration-words.ts';

type Company = Outputs['operations']['companies']['get'];
type Suspension = Company['suspensions'][number];
type MoveState = NonNullable<Company['move']>['state'];

export const COMPANY_STATE_WORDS: Readonly<Record<CompanyState, LocalText>> = {
  ACTIVE: { en: 'Active', ar: 'نشطة' },
  SUSPENDED: { en: 'Suspended', ar: 'موقوفة مؤقتًا' },
};

const MOVE_WORDS: Readonly<Record<MoveState, LocalText>> = {
  DRAINING: {
    en: 'A move has begun. New shipments wait until its drivers have finished.',
    ar: 'بدأ نقل الشركة. تنتظر الشحنات الجديدة حتى ينهي السائقون ما معهم.',
  },
  FROZEN: {
    en: 'The company is being copied. Its changes are refused for the moment.',
    ar: 'يجري نسخ بيانات الشركة. تُرفض تغييراتها مؤقتًا.',
  },
  COPYING: {
    en: 'The company is being copied. Its changes are refused for the moment.',
    ar: 'يجري نسخ بيانات الشركة. تُرفض تغييراتها مؤقتًا.',
  },
  MOVED: { en: 'The company has left this shard.', ar: 'غادرت الشركة شريحة البيانات هذه.' },
  ARRIVED: { en: 'The last move has ended.', ar: 'انتهى آخر نقل.' },
};

const TEXTS = {
  en: {
    up: 'Companies',
    facts: 'Company',
    id: 'Company id',
    shard: 'Shard',
    number: 'Registration number',
    registration: 'Registration',
    people: 'People',
    clients: 'Clients of its systems',
    used: 'last used',
    unused: 'never used',
    created: 'Created',
    shipments: 'Find its shipments',
    changes: 'Its changes by operators',
    suspensions: 'Suspensions',
    suspended: 'Suspended',
    resumed: 'Resumed',
    move: 'Move to another shard',
    how: 'A move is a command on a machine that has the tokens of the databases. Run it again if it was interrupted.',
    target: 'New shard',
    command: 'Command',
    nowhere: 'This deployment has no other shard.',
    reason: 'Reason',
    hint: 'At least three characters. Operators read it on this page; the company does not.',
    done: 'Done. It takes effect within a minute.',
    SUSPENDED: {
      verb: 'Suspend',
      question: 'Suspend this company?',
      consequence:
        'Its systems and people are refused within a minute. Its shipments go on, tracking links work, and webhooks are sent.',
    },
    ACTIVE: {
      verb: 'Resume',
      question: 'Resume this company?',
      consequence: 'Its systems and people can work again within a minute.',
    },
  },
  ar: {
    up: 'الشركات',
    facts: 'الشركة',
    id: 'معرّف الشركة',
    shard: 'شريحة البيانات',
    number: 'رقم السجل التجاري',
    registration: 'التسجيل',
    people: 'الأشخاص',
    clients: 'عملاء أنظمتها',
    used: 'آخر استخدام',
    unused: 'لم يُستخدم بعد',
    created: 'أُنشئت',
    shipments: 'ابحث عن شحناتها',
    changes: 'تغييرات المشغّلين عليها',
    suspensions: 'مرات الإيقاف',
    suspended: 'أُوقفت',
    resumed: 'استؤنفت',
    move: 'النقل إلى شريحة بيانات أخرى',
    how: 'النقل أمر يُشغَّل على جهاز لديه رموز قواعد البيانات. شغّله مرة أخرى إن انقطع.',
    target: 'شريحة البيانات الجديدة',
    command: 'الأمر',
    nowhere: 'لا توجد شريحة بيانات أخرى في هذا النظام.',
    reason: 'السبب',
    hint: 'ثلاثة أحرف على الأقل. يقرؤه المشغّلون في هذه الصفحة، ولا تراه الشركة.',
    done: 'تم. يسري خلال دقيقة.',
    SUSPENDED: {
      verb: 'إيقاف مؤقت',
      question: 'هل تريد إيقاف هذه الشركة مؤقتًا؟',
      consequence: 'تُرفض طلبات أنظمتها وأشخاصها خلال دقيقة. وتستمر شحناتها وروابط التتبع والإشعارات البرمجية.',
    },
    ACTIVE: {
      verb: 'استئناف',
      question: 'هل تريد استئناف خدمة هذه الشركة؟',
      consequence: 'تستطيع أنظمتها وأشخاصها العمل من جديد خلال دقيقة.',
    },
  },
};

/** Whether a company may use the service. */
export function CompanyPill({ state }: { readonly state: CompanyState }) {
  return (
    <span class="calm">
      <Pill tone={state === 'ACTIVE' ? 'good' : 'bad'}>{COMPANY_STATE_WORDS[state][locale]}</Pill>
    </span>
  );
}

interface CompanyProps {
  readonly company: Company;
  readonly reload: () => void;
}

/** One company: its state, facts, policy, suspensions, and how to move it. */
export function CompanyPage({ companyId }: { readonly companyId: string }) {
  const loaded = useLoaded(`company ${companyId}`, () => service.operations.companies.get.query({ companyId }));
  return <WhenLoaded loaded={loaded}>{(company) => <Details company={company} reload={loaded.reload} />}</WhenLoaded>;
}

function Details({ company, reload }: CompanyProps) {
  const text = textsOf(TEXTS);
  const { state, suspensions } = company;
  return (
    <>
      <PageHead
        title={<bdi>{company.name}</bdi>}
        up={{ to: addressOf('companies'), label: text.up }}
        lead={<CompanyPill state={state} />}
      >
        <StandingButton company={company} next={state === 'ACTIVE' ? 'SUSPENDED' : 'ACTIVE'} reload={reload} />
      </PageHead>
      <div class="sides">
        <Facts company={company} />
        <CompanyPolicies company={company} reload={reload} />
      </div>
      <ProofTerms company={company} reload={reload} />
      {suspensions.length === 0 ? null : (
        <section class="part">
          <h2>{text.suspensions}</h2>
          <Listing
            caption={text.suspensions}
            rows={suspensions}
            keyOf={({ suspended }) => suspended.at}
            columns={[
              { label: text.suspended, cell: ({ suspended }) => <Change change={suspended} /> },
              { label: text.resumed, cell: ({ resumed }) => (resumed === null ? '—' : <Change change={resumed} />) },
            ]}
          />
        </section>
      )}
      <Move company={company} />
    </>
  );
}

function Facts({ company }: Pick<CompanyProps, 'company'>) {
  const text = textsOf(TEXTS);
  const { companyId, commercialRegistrationNumber: number, registration, credentials } = company;
  return (
    <section class="part">
      <h2>{text.facts}</h2>
      <dl class="facts">
        <Fact name={text.id}>
          <Exact>{companyId}</Exact>
        </Fact>
        <Fact name={text.shard}>
          <Exact>{company.shard}</Exact>
        </Fact>
        {number === null ? null : (
          <Fact name={text.number}>
            <Exact>{number}</Exact>
          </Fact>
        )}
        {registration === null ? null : (
          <Fact name={text.registration}>
            <Link to={addressOf(`registrations/${registration.registrationId}`)}>
              {STATUS_WORDS[registration.review ?? 'DRAFT'][locale]}
            </Link>
          </Fact>
        )}
        <Fact name={text.people}>{company.peopleCount}</Fact>
        <Fact name={text.clients}>
          {credentials.length === 0
            ? '—'
            : credentials.map(({ clientId, lastUsedAt }) => (
                <div key={clientId}>
                  <Exact>{clientId}</Exact>{' '}
                  {lastUsedAt === null ? (
                    text.unused
                  ) : (
                    <>
                      {text.used} <Moment at={lastUsedAt} />
                    </>
                  )}
                </div>
              ))}
        </Fact>
        <Fact name={text.created}>
          <Moment at={company.createdAt} />
        </Fact>
      </dl>
      <p>
        <Link to={addressOf('shipments', { company: companyId })}>{text.shipments}</Link> ·{' '}
        <Link to={addressOf('audit', { by: 'companyId', text: companyId })}>{text.changes}</Link>
      </p>
    </section>
  );
}

/** Who suspended or resumed the company, when and why. */
function Change({ change: { operator, fullName, reason, at } }: { readonly change: Suspension['suspended'] }) {
  return (
    <>
      <bdi>{reason}</bdi>
      <br />
      <span class="quiet small">
        {fullName === null ? <Exact>{operator}</Exact> : <bdi>{fullName}</bdi>} · <Moment at={at} hasSeconds />
      </span>
    </>
  );
}

interface StandingButtonProps extends CompanyProps {
  readonly next: CompanyState;
}

function StandingButton({ company: { companyId, version }, next, reload }: StandingButtonProps) {
  const { reason, hint, done, ...text } = textsOf(TEXTS);
  const { suspend, resume } = service.operations.companies;
  const change = next === 'SUSPENDED' ? suspend : resume;
  return (
    <ReasonedButton
      words={{ ...text[next], reason, hint, done }}
      kind={next === 'SUSPENDED' ? 'danger' : 'primary'}
      act={(given) => change.mutate({ companyId, version, reason: given })}
      onChanged={reload}
    />
  );
}

/** The state of a move, and the command that begins or continues one. */
function Move({ company: { companyId, move, otherShards } }: Pick<CompanyProps, 'company'>) {
  const text = textsOf(TEXTS);
  const running = move === null || move.state === 'ARRIVED' ? undefined : move.otherShard;
  const [chosen, setChosen] = useState(running ?? otherShards[0]);
  return (
    <section class="part">
      <h2>{text.move}</h2>
      {move === null ? null : (
        <p>
          {MOVE_WORDS[move.state][locale]} <Exact>{move.otherShard}</Exact> · <Moment at={move.changedAt} hasSeconds />
        </p>
      )}
      {chosen === undefined ? (
        <p>{text.nowhere}</p>
      ) : (
        <>
          <p class="quiet">{text.how}</p>
          {otherShards.length < 2 || running !== undefined ? null : (
            <div class="narrow">
              <Choice
                label={text.target}
                value={chosen}
                options={otherShards.map((value) => ({ value, label: value }))}
                onChange={setChosen}
              />
            </div>
          )}
          <Code text={`npm run move-company -- --company ${companyId} --to ${chosen}`} what={text.command} />
        </>
      )}
    </section>
  );
}

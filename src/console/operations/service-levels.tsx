import { wholeOr } from '../../core/typed/number.ts';
import { readCodes } from '../../core/typed/text.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Form, SaveOrCancel } from '../../ui/browser/kit/form.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { AMOUNT, WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure, changedHint } from '../../ui/browser/kit/problem-notice.tsx';
import { NUMBERED } from '../../ui/browser/kit/readers.ts';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork, type Work } from '../../ui/browser/service/loading.ts';
import { FleetPill, type FleetStatus, fleetStatusOptions } from './fleet-words.tsx';
import { InShard, ShardChoice } from './shard.tsx';

type ServiceLevel = Outputs['operations']['serviceLevels']['list'][number];

const TEXTS = {
  en: {
    title: 'Service levels',
    lead: 'A new shipment gets the fitting service level with the lowest rank.',
    create: 'New service level',
    created: 'The service level is created.',
    saved: 'Saved.',
    empty: 'This shard has no service level yet, so its companies cannot ship.',
    code: 'Code',
    codeHint: 'Capital letters, digits and underscores, such as STANDARD. It cannot be changed later.',
    rank: 'Rank',
    cities: 'Cities',
    citiesHint: 'City codes such as RUH, separated by spaces.',
    capabilities: 'Capabilities',
    capabilitiesHint: 'Codes such as COLD_CHAIN, separated by spaces.',
    weightKilogramsMax: 'Weight of a shipment, at most (kg)',
    lengthCentimetresMax: 'Length of a piece, at most (cm)',
    limits: 'Limits',
    status: 'Status',
    statusHint: 'An inactive service level gets no new shipments.',
  },
  ar: {
    title: 'مستويات الخدمة',
    lead: 'تحصل الشحنة الجديدة على مستوى الخدمة المناسب الأدنى ترتيبًا.',
    create: 'مستوى خدمة جديد',
    created: 'أُضيف مستوى الخدمة.',
    saved: 'تم الحفظ.',
    empty: 'لا يوجد مستوى خدمة في شريحة البيانات هذه بعد، فلا تستطيع شركاتها الشحن.',
    code: 'الرمز',
    codeHint: 'أحرف لاتينية كبيرة وأرقام وشرطات سفلية، مثل STANDARD. ولا يمكن تغييره لاحقًا.',
    rank: 'الترتيب',
    cities: 'المدن',
    citiesHint: 'رموز مدن مثل RUH تفصل بينها مسافات.',
    capabilities: 'القدرات',
    capabilitiesHint: 'رموز مثل COLD_CHAIN تفصل بينها مسافات.',
    weightKilogramsMax: 'أقصى وزن للشحنة (كجم)',
    lengthCentimetresMax: 'أقصى طول للقطعة (سم)',
    limits: 'الحدود',
    status: 'الحالة',
    statusHint: 'لا يحصل مستوى الخدمة غير النشط على شحنات جديدة.',
  },
};

/** The service levels of a shard. Codes are in capitals, so none is `new`. */
export function ServiceLevels({ address: { id, part, query } }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  return (
    <InShard named={query.get('shard')}>
      {(shard, shards) => {
        if (id === 'new') return <NewLevelPage shard={shard} />;
        return <LevelsPage shard={shard} shards={shards} code={id} />;
      }}
    </InShard>
  );
}

interface LevelsPageProps {
  readonly shard: string;
  readonly shards: readonly string[];
  /** The level to edit; all are listed without it. */
  readonly code: string | undefined;
}

function LevelsPage({ shard, shards, code }: LevelsPageProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`service levels ${shard}`, () => service.operations.serviceLevels.list.query({ shard }));
  const create = (
    <Link to={addressOf('service-levels/new', { shard })} class="button primary">
      {text.create}
    </Link>
  );
  if (code !== undefined)
    return (
      <WhenLoaded loaded={loaded}>
        {(levels) => {
          const level = levels.find((one) => one.code === code);
          return level === undefined ? (
            <NoSuchPage />
          ) : (
            <LevelPage shard={shard} level={level} reload={loaded.reload} />
          );
        }}
      </WhenLoaded>
    );
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        {create}
      </PageHead>
      <div class="narrow">
        <ShardChoice path="service-levels" shard={shard} shards={shards} />
      </div>
      <WhenLoaded loaded={loaded}>
        {(levels) =>
          levels.length === 0 ? <Empty text={text.empty}>{create}</Empty> : <Levels levels={levels} shard={shard} />
        }
      </WhenLoaded>
    </>
  );
}

function Levels({ levels, shard }: { readonly levels: readonly ServiceLevel[]; readonly shard: string }) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={text.title}
      rows={levels}
      keyOf={({ code }) => code}
      columns={[
        {
          label: text.code,
          cell: ({ code }) => (
            <Link to={addressOf(`service-levels/${code}`, { shard })}>
              <Exact>{code}</Exact>
            </Link>
          ),
        },
        { label: text.rank, isShort: true, cell: ({ rank }) => <Exact>{rank}</Exact> },
        { label: text.cities, cell: ({ cities }) => <Exact>{cities.join(' ')}</Exact> },
        { label: text.capabilities, cell: ({ capabilities }) => <Exact>{capabilities.join(' ') || '—'}</Exact> },
        {
          label: text.limits,
          cell: (level) => <Exact>{`${level.weightKilogramsMax} kg, ${level.lengthCentimetresMax} cm`}</Exact>,
        },
        { label: text.status, cell: ({ status }) => <FleetPill status={status} /> },
      ]}
    />
  );
}

/** What was typed. */
interface LevelDraft {
  readonly code: string;
  readonly rank: string;
  readonly cities: string;
  readonly capabilities: string;
  readonly weightKilogramsMax: string;
  readonly lengthCentimetresMax: string;
  readonly status: FleetStatus;
}

const NO_LEVEL: LevelDraft = {
  code: '',
  rank: '0',
  cities: '',
  capabilities: '',
  weightKilogramsMax: '',
  lengthCentimetresMax: '',
  status: 'ACTIVE',
};

function draftOf(level: ServiceLevel): LevelDraft {
  const { code, weightKilogramsMax, lengthCentimetresMax, status } = level;
  const lists = { cities: level.cities.join(' '), capabilities: level.capabilities.join(' ') };
  return { code, rank: String(level.rank), ...lists, weightKilogramsMax, lengthCentimetresMax, status };
}

function termsOf({ rank, cities, capabilities, weightKilogramsMax, lengthCentimetresMax }: LevelDraft) {
  return {
    // The service reports that a number is missing: NaN becomes null on the way.
    rank: wholeOr(rank, Number.NaN),
    cities: readCodes(cities),
    capabilities: readCodes(capabilities),
    weightKilogramsMax,
    lengthCentimetresMax,
  };
}

function NewLevelPage({ shard }: { readonly shard: string }) {
  const text = textsOf(TEXTS);
  const back = addressOf('service-levels', { shard });
  const work = useWork(async (draft: LevelDraft) => {
    await service.operations.serviceLevels.create.mutate({ shard, code: draft.code, ...termsOf(draft) });
    showToast(text.created);
    navigate(back);
  });
  return (
    <>
      <PageHead title={text.create} up={{ to: back, label: text.title }} />
      <LevelForm work={work} reload={() => undefined} back={back} />
    </>
  );
}

interface LevelPageProps {
  readonly shard: string;
  readonly level: ServiceLevel;
  readonly reload: () => void;
}

function LevelPage({ shard, level, reload }: LevelPageProps) {
  const text = textsOf(TEXTS);
  const { code, version } = level;
  const back = addressOf('service-levels', { shard });
  const work = useWork(async (draft: LevelDraft) => {
    const changes = { ...termsOf(draft), status: draft.status };
    await service.operations.serviceLevels.update.mutate({ shard, code, version, ...changes });
    showToast(text.saved);
    navigate(back);
  });
  return (
    <>
      <PageHead
        title={<Exact>{code}</Exact>}
        up={{ to: back, label: text.title }}
        lead={<FleetPill status={level.status} />}
      />
      <LevelForm current={draftOf(level)} work={work} reload={reload} back={back} />
    </>
  );
}

interface LevelFormProps {
  /** The level as stored, for a form that changes one. */
  readonly current?: LevelDraft;
  readonly work: Work<LevelDraft>;
  readonly reload: () => void;
  readonly back: string;
}

const FIELDS = ['code', 'rank', 'cities', 'capabilities', 'weightKilogramsMax', 'lengthCentimetresMax'] as const;

function LevelForm({ current, work, reload, back }: LevelFormProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, start, kept } = useDraft(current ?? NO_LEVEL, { isChange: current !== undefined });
  const set = (change: Partial<LevelDraft>) => setDraft({ ...draft, ...change });
  const field = (name: (typeof FIELDS)[number], hint?: string) => ({
    label: text[name],
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
    error: violationAt(work.failure, name, draft[name]),
    hint: (current === undefined ? undefined : changedHint(start[name], current[name])) ?? hint,
    dir: 'ltr' as const,
  });
  return (
    <Form kept={kept} onSubmit={() => work.start(draft)}>
      {current === undefined ? <Field {...field('code', text.codeHint)} reads={NUMBERED} isFirst /> : null}
      <Field {...field('cities', text.citiesHint)} />
      <div class="triple">
        <Field {...field('rank')} reads={WHOLE} />
        <Field {...field('weightKilogramsMax')} reads={AMOUNT} />
        <Field {...field('lengthCentimetresMax')} reads={AMOUNT} />
      </div>
      <Field {...field('capabilities', text.capabilitiesHint)} />
      {current === undefined ? null : (
        <Choice
          label={text.status}
          hint={text.statusHint}
          value={draft.status}
          options={fleetStatusOptions()}
          onChange={(status) => set({ status })}
        />
      )}
      <ChangeFailure work={work} reload={reload} fields={FIELDS} />
      <SaveOrCancel isBusy={work.isBusy} back={back} kept={kept} />
    </Form>
  );
}

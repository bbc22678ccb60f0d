import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { AnswerPill, type Entry, isFailure, violationsOf } from './entries.tsx';

const TEXTS = {
  en: {
    title: 'Errors by cause',
    lead: (count: number) => `Counted in the ${count} entries below, not in the whole log.`,
    most: (count: number) => `Only the ${count} most frequent are shown.`,
    operation: 'Operation',
    answer: 'Response',
    field: 'Field',
    count: 'Requests',
    since: 'Since',
  },
  ar: {
    title: 'الأخطاء حسب السبب',
    lead: (count: number) => `محسوبة في المدخلات المعروضة أدناه (${count})، لا في السجل كله.`,
    most: (count: number) => `لا يظهر إلا الأكثر تكرارًا (${count}).`,
    operation: 'العملية',
    answer: 'الرد',
    field: 'الحقل',
    count: 'الطلبات',
    since: 'منذ',
  },
};
const GROUPS_SHOWN = 10;

interface ErrorGroupsProps {
  /** Newest first. */
  readonly entries: readonly Entry[];
  readonly filters: Readonly<Record<string, string>>;
}

/** The errors among the entries, grouped by operation, code and field, the most frequent first. */
export function ErrorGroups({ entries, filters }: ErrorGroupsProps) {
  const text = textsOf(TEXTS);
  const groups = groupErrors(entries);
  if (groups.length === 0) return null;
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="small quiet">
        {text.lead(entries.length)} {groups.length > GROUPS_SHOWN ? text.most(GROUPS_SHOWN) : null}
      </p>
      <Listing
        caption={text.title}
        rows={groups.slice(0, GROUPS_SHOWN)}
        keyOf={({ key }) => key}
        columns={[
          {
            label: text.operation,
            cell: ({ operation, status }) => (
              <Link to={addressOf('requests', { ...filters, operation, status: String(status) })}>
                <Exact>{operation}</Exact>
              </Link>
            ),
          },
          { label: text.answer, cell: (group) => <AnswerPill entry={group} /> },
          { label: text.field, cell: ({ cause }) => (cause === '' ? '—' : <Exact>{cause}</Exact>) },
          { label: text.count, isShort: true, cell: ({ count }) => <bdi>{formatCount(count)}</bdi> },
          { label: text.since, isShort: true, cell: ({ since }) => <Moment at={since} hasSeconds /> },
        ]}
      />
    </section>
  );
}

interface ErrorGroup extends Pick<Entry, 'operation' | 'status' | 'code'> {
  readonly key: string;
  /** The field and the code of its violation. Empty if the problem names no field. */
  readonly cause: string;
  count: number;
  /** When the first of them arrived. */
  since: string;
}

function groupErrors(entries: readonly Entry[]): readonly ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const { operation, status, code, repeats, at, ...entry } of entries.filter(isFailure)) {
    for (const cause of causesOf(entry)) {
      const key = JSON.stringify([operation, status, code, cause]);
      const group = groups.get(key) ?? { key, operation, status, code, cause, count: 0, since: at };
      group.count += 1 + repeats;
      // The entries are newest first, so the last one is the first that happened.
      group.since = at;
      groups.set(key, group);
    }
  }
  return [...groups.values()].toSorted((one, other) => other.count - one.count);
}

/** Each cause once. Items of a list have the same cause. */
function causesOf(entry: Pick<Entry, 'responseBody'>): ReadonlySet<string> {
  const causes = violationsOf(entry).map(({ field, code }) => `${field.replace(/\[\d+\]/g, '[]')} ${code}`);
  return new Set(causes.length === 0 ? [''] : causes);
}

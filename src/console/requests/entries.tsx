import { isRecord } from '../../client/problem.ts';
import { Exact } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { Pill } from '../../ui/state.tsx';

export type Entry = Outputs['requestLog']['list']['data'][number];

/** The statuses from here on are refusals and failures. */
const FAILURE_STATUS = 400;

export function isFailure({ status }: Pick<Entry, 'status'>): boolean {
  return status >= FAILURE_STATUS;
}

/** The status of a response, and the code of its problem. */
export function AnswerPill({ entry: { status, code } }: { readonly entry: Pick<Entry, 'status' | 'code'> }) {
  return (
    <span class="calm">
      <Pill tone={isFailure({ status }) ? 'bad' : 'good'}>
        <bdi>{status}</bdi>
      </Pill>{' '}
      {code === null ? null : <Exact>{code}</Exact>}
    </span>
  );
}

export interface LoggedViolation {
  readonly field: string;
  readonly code: string;
}

/** The violations in the response of an entry. */
export function violationsOf({ responseBody }: Pick<Entry, 'responseBody'>): readonly LoggedViolation[] {
  const listed: unknown = responseBody?.['violations'];
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((one: unknown) => {
    if (!isRecord(one)) return [];
    const { field, code } = one;
    return typeof field === 'string' && typeof code === 'string' ? [{ field, code }] : [];
  });
}

/** The masked value that the request had at the field of a violation, such as `items[0].quantity`, as JSON text. */
export function sentAt({ requestBody }: Pick<Entry, 'requestBody'>, field: string): string | undefined {
  let value: unknown = requestBody;
  for (const name of field.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value === undefined ? undefined : JSON.stringify(value);
}

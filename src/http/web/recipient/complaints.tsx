import * as z from 'zod';
import { type RecipientCase, recipientCaseRequest } from '../../../contract/case.ts';
import { CASE_TEXT_LENGTH_MAX, isOwed, RECIPIENT_CASE_KINDS, REGULATOR_PHONE } from '../../../contract/case-state.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import type { Refusal } from '../../../core/result.ts';
import { parseUuid } from '../../../core/uuid.ts';
import { unbound } from '../../../domain/idempotency/once.ts';
import { withdrawAsRecipient } from '../../../domain/shipments/change-case.ts';
import { openCase } from '../../../domain/shipments/open-case.ts';
import type { LinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import type { Exchange } from '../../route-table.ts';
import { formatDay, formatTime } from '../formats.ts';
import { WORDS as TRACKING_WORDS } from '../tracking/words.ts';
import { COMPLAINT_WORDS } from './complaint-words.ts';
import { Choice } from './fields.tsx';

/* What the recipient complained about, the answers, and the form for another complaint. */

interface SectionProps {
  readonly complaints: readonly RecipientCase[];
  readonly locale: Locale;
  /** Whether the page is about nothing else. */
  readonly isAlone: boolean;
}

export function ComplaintSection({ complaints, locale, isAlone }: SectionProps) {
  const words = COMPLAINT_WORDS[locale];
  return (
    <>
      {isAlone ? <h1>{words.title}</h1> : null}
      {complaints.length === 0 ? null : (
        <section id="complaints">
          <h2>{words.yours}</h2>
          {complaints.map((one) => (
            <Complaint key={one.caseId} one={one} locale={locale} />
          ))}
          <p class="quiet">
            {words.regulator}{' '}
            <a href={`tel:${REGULATOR_PHONE}`}>
              <bdi dir="ltr">{REGULATOR_PHONE}</bdi>
            </a>
          </p>
        </section>
      )}
      <section id="complain">
        {isAlone && complaints.length === 0 ? (
          <ComplaintForm locale={locale} />
        ) : (
          <details>
            <summary class="plain wide">{isAlone ? words.another : words.title}</summary>
            <ComplaintForm locale={locale} />
          </details>
        )}
      </section>
    </>
  );
}

function ComplaintForm({ locale }: { readonly locale: Locale }) {
  const words = COMPLAINT_WORDS[locale];
  return (
    <form method="post">
      <p>{words.lead}</p>
      <Choice label={words.kind} name="kind" values={RECIPIENT_CASE_KINDS} words={words.kinds} />
      <label class="field">
        {words.description}
        <textarea name="description" dir="auto" rows={4} required maxLength={CASE_TEXT_LENGTH_MAX} />
        <span class="quiet">{words.hint}</span>
      </label>
      <button type="submit" name="do" value="complain" class="send wide">
        {words.send}
      </button>
    </form>
  );
}

function Complaint({ one, locale }: { readonly one: RecipientCase; readonly locale: Locale }) {
  const words = COMPLAINT_WORDS[locale];
  const kind = RECIPIENT_CASE_KINDS.find((known) => known === one.kind) ?? 'OTHER';
  return (
    <article class="complaint">
      <h3>{words.kinds[kind]}</h3>
      <p>
        <strong>{one.outcome === 'WITHDRAWN' ? words.withdrawn : words.states[one.state]}</strong>{' '}
        <span class="quiet">
          {words.number} <bdi dir="ltr">{one.number}</bdi>
        </span>
      </p>
      {isOwed(one.state) ? (
        <p>
          {one.overdue ? words.overdue : words.answerBy} {timeOf(one.answerBy, locale)}
        </p>
      ) : null}
      {one.messages.map(({ author, text, createdAt }) => (
        <div key={createdAt} class="message">
          <p class="quiet">
            {author === 'OPERATOR' ? words.carrier : words.you} · {timeOf(createdAt, locale)}
          </p>
          {(text ?? words.forgotten).split('\n').map((line, index) => (
            <p key={index} dir="auto">
              {line}
            </p>
          ))}
        </div>
      ))}
      {one.state === 'CLOSED' ? null : (
        <form method="post">
          <input type="hidden" name="caseId" value={one.caseId} />
          <button type="submit" name="do" value="withdraw" class="plain">
            {words.withdraw}
          </button>
        </form>
      )}
    </article>
  );
}

export function timeOf(instant: string, locale: Locale): string {
  const at = parseInstant(instant);
  return at === undefined ? '' : TRACKING_WORDS[locale].at(formatDay(at, locale), formatTime(at, locale));
}

const COMPLAINT = z.strictObject(recipientCaseRequest);

/** Undefined if the form is not filled in. */
export async function complain(
  { services, facts }: Exchange,
  { scope, store, shipment }: LinkedShipment,
  form: URLSearchParams,
): Promise<Refusal | 'invalid' | undefined> {
  const description = (form.get('description') ?? '').replaceAll('\r\n', '\n').trim();
  const parsed = COMPLAINT.safeParse({ kind: form.get('kind') ?? '', description });
  if (!parsed.success) return 'invalid';
  const { correlationId } = facts;
  const order = { ...parsed.data, shipmentId: shipment.id, openedBy: 'RECIPIENT', correlationId } as const;
  const opened = await openCase({ ...services, ...store }, scope, order, unbound);
  return opened.ok ? undefined : opened;
}

/** Withdraws a complaint that the present recipient has made. */
export async function withdraw(
  { services, facts }: Exchange,
  { scope, store, shipment }: LinkedShipment,
  form: URLSearchParams,
): Promise<Refusal | 'invalid' | undefined> {
  const caseId = parseUuid(form.get('caseId') ?? '');
  if (caseId === undefined) return 'invalid';
  const order = { caseId, shipmentId: shipment.id, correlationId: facts.correlationId };
  const done = await withdrawAsRecipient({ ...services, ...store }, scope, order);
  if (done.ok) return undefined;
  return done.code === 'RESOURCE_NOT_FOUND' ? 'invalid' : done;
}

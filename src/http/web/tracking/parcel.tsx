import { isTerminal } from '../../../contract/shipment-state.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import { cityName } from '../../../core/names.ts';
import type { TrackingView } from '../../../domain/tracking/page-view.ts';
import { formatDay, formatMoney, formatNumber, formatTime } from '../formats.ts';
import { type DeliveryStep, stepsOf } from './steps.ts';
import { WORDS } from './words.ts';

/** Not translated by browsers. On the server the attribute is text, where the property of the types is a boolean. */
const AS_IT_IS = { translate: 'no' as unknown as false } as const;

interface Shown {
  readonly view: TrackingView;
  readonly locale: Locale;
}

/** The steps of the delivery, from the order to its end. */
export function Progress({ view, locale }: Shown) {
  const words = WORDS[locale];
  const steps = stepsOf(view.tracking);
  return (
    <section id="progress">
      <h2>{words.progress}</h2>
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={step.name} class={step.status} aria-current={step.status === 'current' ? 'step' : undefined}>
            <span>{words.steps[step.name]}</span>
            <StepTime
              step={step}
              before={steps.slice(0, index).findLast(({ occurredAt }) => occurredAt !== null)}
              locale={locale}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface StepTimeProps {
  readonly step: DeliveryStep;
  readonly before: DeliveryStep | undefined;
  readonly locale: Locale;
}

/** The time of a step, with its day unless the last one that is known is of the same. */
function StepTime({ step: { status, occurredAt }, before, locale }: StepTimeProps) {
  const words = WORDS[locale];
  const at = occurredAt === null ? undefined : parseInstant(occurredAt);
  if (at !== undefined) {
    const [day, time] = [formatDay(at, locale), formatTime(at, locale)];
    return (
      <time dateTime={occurredAt ?? ''} {...AS_IT_IS}>
        {day === dayOf(before, locale) ? time : words.at(day, time)}
      </time>
    );
  }
  if (status === 'ahead') return <span class="unseen">{words.ahead}</span>;
  return status === 'current' ? <span class="quiet">{words.now}</span> : null;
}

function dayOf(step: DeliveryStep | undefined, locale: Locale): string | undefined {
  const at = step?.occurredAt == null ? undefined : parseInstant(step.occurredAt);
  return at === undefined ? undefined : formatDay(at, locale);
}

/** The parcel: its number, pieces, city and the amount to pay. */
export function Parcel({ view, locale }: Shown) {
  const words = WORDS[locale];
  const { shipmentNumber, destinationCity, codDue, state } = view.tracking;
  return (
    <section id="parcel">
      <h2>{words.parcel}</h2>
      <dl class="facts">
        {codDue === null ? null : (
          <div class="due">
            <dt>{words.toPay}</dt>
            <dd>{words.toPayDriver(formatMoney(codDue.amount, codDue.currency, locale))}</dd>
          </div>
        )}
        {view.paid === null ? null : (
          <div class="due">
            <dt>{words.paid}</dt>
            <dd>{words.paidDriver(formatMoney(view.paid.amount, view.paid.currency, locale))}</dd>
          </div>
        )}
        <div>
          <dt>{words.number}</dt>
          <dd>
            <bdi class="number" dir="ltr" {...AS_IT_IS}>
              {shipmentNumber}
            </bdi>{' '}
            <button type="button" class="copy" data-copy={shipmentNumber} data-copied={words.copied} hidden>
              {words.copy}
            </button>
          </dd>
        </div>
        <div>
          <dt>{words.pieces}</dt>
          <dd {...AS_IT_IS}>{formatNumber(view.pieces, locale)}</dd>
        </div>
        <div>
          <dt>{words.city}</dt>
          <dd>
            <bdi {...AS_IT_IS}>{cityName(destinationCity, locale)}</bdi>
          </dd>
        </div>
        {codDue !== null || isTerminal(state) ? null : (
          <div>
            <dt>{words.toPay}</dt>
            <dd>{words.nothingToPay}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** The way to the page on which the recipient changes the delivery, or complains once it has ended. */
export function Change({ view, path, locale }: Shown & { readonly path: string }) {
  const words = WORDS[locale];
  const help = view.canReturn ? words.returnOrComplain : words.complain;
  if (view.canComplain)
    return (
      <section id="change">
        <a class="button" href={`${path}/delivery`}>
          {view.canSeePhoto ? words.seePhoto : help}
        </a>
      </section>
    );
  if (!view.canChange) return null;
  return (
    <section id="change">
      <a class="button" href={`${path}/delivery`}>
        {words.change}
      </a>
      <p class="quiet">{words.changeHint}</p>
    </section>
  );
}

/** Says that the merchant can help, and how to reach them if they have agreed to show that. The links do not name this page. */
export function Help({ view, locale }: Shown) {
  const words = WORDS[locale];
  const { merchantName, merchantPhone, merchantWhatsApp, shipmentNumber } = view.tracking;
  const [before, after] = words.helpText(merchantName);
  return (
    <section id="help">
      <h2>{words.help}</h2>
      <p>
        {before}{' '}
        <bdi class="number" dir="ltr" {...AS_IT_IS}>
          {shipmentNumber}
        </bdi>
        {after}
      </p>
      {merchantPhone === undefined && merchantWhatsApp === undefined ? null : (
        <ul class="contacts">
          {merchantPhone === undefined ? null : (
            <Contact label={words.call} number={merchantPhone} to={`tel:${merchantPhone}`} />
          )}
          {merchantWhatsApp === undefined ? null : (
            <Contact
              label={words.whatsApp}
              number={merchantWhatsApp}
              to={`https://wa.me/${merchantWhatsApp.slice(1)}`}
            />
          )}
        </ul>
      )}
    </section>
  );
}

function Contact({ label, number, to }: { readonly label: string; readonly number: string; readonly to: string }) {
  return (
    <li>
      <a href={to} rel="noopener noreferrer">
        {label}{' '}
        <bdi dir="ltr" {...AS_IT_IS}>
          {number}
        </bdi>
      </a>
    </li>
  );
}

import * as z from 'zod';
import { PARTS_OF_DAY, recipientReturnRequest } from '../../../contract/recipient.ts';
import { RETURN_REASONS } from '../../../contract/resolution-state.ts';
import type { Refusal } from '../../../core/result.ts';
import { wholeOr } from '../../../core/typed/number.ts';
import { readNumbered } from '../../../core/typed/text.ts';
import { askReturn } from '../../../domain/recipients/return-request.ts';
import type { LinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import type { Exchange } from '../../route-table.ts';
import { formatNumber } from '../formats.ts';
import { timeOf } from './complaints.tsx';
import { Choice, CommentField } from './fields.tsx';
import { RETURN_WORDS } from './return-words.ts';
import type { DeliveryShown, PartProps } from './shown.ts';

/* What the recipient asks the shop to take back, and what became of it. */

export function hasReturns({ delivery }: DeliveryShown): boolean {
  return delivery.returnRequest !== null || delivery.returnable.length > 0;
}

export function ReturnSection({ shown }: PartProps) {
  const { delivery, locale, merchantName } = shown;
  const words = RETURN_WORDS[locale];
  const { returnRequest, returnable } = delivery;
  return (
    <section id="return">
      <h1>{words.heading}</h1>
      {returnRequest === null ? null : (
        <p class="lead">{words.states[returnRequest.state](merchantName, timeOf(returnRequest.decideBy, locale))}</p>
      )}
      {returnable.length === 0 ? null : (
        <details>
          <summary class="plain wide">{returnRequest?.state === 'ACCEPTED' ? words.again : words.title}</summary>
          <ReturnForm shown={shown} />
        </details>
      )}
    </section>
  );
}

function ReturnForm({ shown: { delivery, locale, merchantName } }: PartProps) {
  const words = RETURN_WORDS[locale];
  const { returnable } = delivery;
  // With one piece there is nothing to choose.
  const isOne = returnable.length === 1 && returnable[0]?.quantity === 1;
  return (
    <form method="post">
      <p>{words.lead(merchantName)}</p>
      {isOne
        ? null
        : returnable.map(({ index, description, quantity }) => (
            <label key={index} class="field">
              <span>
                <bdi>{description}</bdi>
              </span>
              {/* A number field takes no Arabic digits. */}
              <input type="text" inputMode="numeric" dir="ltr" name={`${QUANTITY}${index}`} value={quantity} required />
              <span class="quiet">{words.quantity(formatNumber(quantity, locale))}</span>
            </label>
          ))}
      <Choice label={words.why} name="reasonCode" values={RETURN_REASONS} words={words.reasons} />
      <Choice label={words.when} name="partOfDay" values={PARTS_OF_DAY} words={words.parts} />
      <CommentField label={words.comment} />
      <button type="submit" name="do" value="return" class="send wide">
        {words.ask}
      </button>
    </form>
  );
}

/** The quantity of an item is in the field of this name with the item's position after it. */
const QUANTITY = 'item-';
const REQUEST = z.strictObject(recipientReturnRequest);

/** Undefined if the return is asked for. */
export async function askForReturn(
  { services, facts }: Exchange,
  linked: LinkedShipment,
  form: URLSearchParams,
): Promise<Refusal | 'invalid' | undefined> {
  const typed = [...form].filter(([name]) => name.startsWith(QUANTITY));
  // Text that is not a whole number becomes -1, which the schema refuses.
  const chosen = typed
    .map(([name, text]) => ({ index: Number(name.slice(QUANTITY.length)), quantity: wholeOr(readNumbered(text), -1) }))
    .filter(({ quantity }) => quantity !== 0);
  const comment = (form.get('comment') ?? '').replaceAll('\r\n', '\n').trim();
  const parsed = REQUEST.safeParse({
    reasonCode: form.get('reasonCode') ?? '',
    partOfDay: form.get('partOfDay') ?? '',
    ...(comment === '' ? {} : { comment }),
    ...(typed.length === 0 ? {} : { items: chosen }),
  });
  if (!parsed.success) return 'invalid';
  const { correlationId } = facts;
  const asked = await askReturn(services, linked, { ...parsed.data, correlationId });
  return asked.ok ? undefined : asked;
}

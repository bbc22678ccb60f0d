import { takeAllowance } from '../../../../routers/procedure.ts';
import { signedInRecipient } from '../../../../routers/recipients.ts';
import { tokenInPath } from '../../../access/tracking-token.ts';
import { isTerminal } from '../../../contract/shipment-state.ts';
import type { Locale } from '../../../core/locale.ts';
import { networkOf } from '../../../core/network-address.ts';
import { orThrow, Problem } from '../../../core/problem.ts';
import { showPin } from '../../../domain/proof/show-pin.ts';
import { presentDelivery, readDeliveryFacts } from '../../../domain/recipients/delivery.ts';
import { sketchDoor } from '../../../domain/recipients/door.ts';
import { readRow } from '../../../domain/rows.ts';
import { caseStandingOf } from '../../../domain/shipments/case-store.ts';
import { isTooLate } from '../../../domain/shipments/open-case.ts';
import { readRecipientCases } from '../../../domain/shipments/read-cases.ts';
import { findLinkedShipment, type LinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import { FORM_TYPE, readBytes, requireMediaType } from '../../body.ts';
import type { Exchange } from '../../route-table.ts';
import { formTextOf } from '../../sent-text.ts';
import { chosenLocale } from '../representation.ts';
import { headersOf, placeOf } from '../tracking/show.ts';
import { type Done, doneOf, runAction } from './actions.ts';
import { readHandedOver, showPhoto } from './handed-over.tsx';
import { deliveryPage, signInPage } from './page.tsx';

/*
 * `/t/{token}/delivery`: the page on which a recipient changes the delivery, and complains. It is for links with permissions, until 30
 * days after the end. Others are sent to the tracking page.
 */

/** A complaint of 1,000 Arabic letters has 6,000 bytes in a form, and one of 1,000 emoji twice as many. */
const FORM_BYTES_MAX = 16_384;

export async function showRecipient(exchange: Exchange): Promise<Response> {
  const linked = await enter(exchange);
  if (linked === undefined) return seeOther(exchange, trackingPathOf(exchange));
  const photo = exchange.url.searchParams.get('photo');
  if (photo !== null) return showPhoto(exchange, await signedInRecipient(exchange, tokenOf(exchange)), photo);
  return showDelivery(exchange, linked, doneOf(exchange.url.searchParams));
}

/** Does what a form of the page asks for. What is done is shown at the address of the page, so that a reload repeats nothing. */
export async function takeRecipientForm(request: Request, exchange: Exchange): Promise<Response> {
  const linked = await enter(exchange);
  const bytes = await readBytes({ request, permit: exchange.permit }, FORM_BYTES_MAX);
  requireMediaType(request, FORM_TYPE);
  if (linked === undefined) return seeOther(exchange, trackingPathOf(exchange));
  const done = await runAction(exchange, linked, new URLSearchParams(formTextOf(bytes)));
  if (done.kind === 'done') return seeOther(exchange, `${exchange.url.pathname}${done.query}`, done.cookie);
  return showDelivery(exchange, linked, done);
}

async function enter(exchange: Exchange): Promise<LinkedShipment | undefined> {
  const { services, facts, parameters, enterShard } = exchange;
  await takeAllowance(exchange, 'tracking', networkOf(facts.address ?? 'unknown'));
  const linked = orThrow(await findLinkedShipment({ ...services, enterShard }, tokenOf({ parameters })));
  return linked.link.permissions.length === 0 || (await isOver(linked)) ? undefined : linked;
}

/** Whether there is nothing to change, and it is too late to complain. */
async function isOver({ scope, store, shipment, now }: LinkedShipment): Promise<boolean> {
  if (!isTerminal(shipment.state)) return false;
  const standing = orThrow(await readRow(store.database, caseStandingOf(scope, shipment.id), 'ACCESS_DENIED'));
  return isTooLate(standing, now);
}

/** The page of the delivery for its recipient; for anybody else the page that asks for the code. */
async function showDelivery(exchange: Exchange, linked: LinkedShipment, done: Done): Promise<Response> {
  const { services, facts, later } = exchange;
  const { link, scope, store, shipment } = linked;
  const locale = chosenLocale(exchange) ?? link.locale ?? facts.locale;
  const shown = {
    ...(await placeOf(exchange)),
    locale,
    merchantName: link.merchantName,
    trackingPath: trackingPathOf(exchange),
  };
  const news = done.newsIn?.(locale, link.merchantName);
  if (!(await isRecipient(exchange)))
    return page(
      exchange,
      locale,
      signInPage({ ...shown, news: done.isInAddress === true ? undefined : news, challenge: done.challenge }),
    );
  const found = orThrow(await readDeliveryFacts(store.database, scope, shipment.id));
  const delivery = presentDelivery(found, link.permissions, {
    now: store.clock.now(),
    slots: services.config.deliveryWindows,
    pin: orThrow(await showPin({ ...services, ...store }, scope, found.standing.row, locale)),
  });
  const door = { latitude: Number(delivery.destination.latitude), longitude: Number(delivery.destination.longitude) };
  const [only, ...others] = done.proposals ?? [];
  const proposed =
    only === undefined || others.length > 0
      ? null
      : { latitude: Number(only.latitude), longitude: Number(only.longitude) };
  const sketch = sketchDoor(door, found.standing.terms.geometry, proposed);
  const streets = await services.streets.find(sketch.bounds, later);
  const handedOver = await readHandedOver(store.database, linked);
  const complaints = orThrow(await readRecipientCases(store, scope, shipment.id));
  const about = { delivery, sketch, streets, complaints, handedOver, isOver: isTerminal(shipment.state) };
  return page(exchange, locale, deliveryPage({ ...shown, ...about, news, proposals: done.proposals }));
}

async function isRecipient(exchange: Exchange): Promise<boolean> {
  try {
    await signedInRecipient(exchange, tokenOf(exchange));
    return true;
  } catch (error) {
    if (error instanceof Problem && error.refusal.code === 'AUTHENTICATION_REQUIRED') return false;
    throw error;
  }
}

function page(exchange: Exchange, locale: Locale, text: string): Response {
  const headers = headersOf(exchange, locale);
  headers.set('permissions-policy', 'geolocation=(self)');
  // Without it the Origin of the page's forms would be `null` (Fetch, append a request Origin header). Other sites learn nothing.
  headers.set('referrer-policy', 'same-origin');
  return new Response(text, { headers });
}

function seeOther(exchange: Exchange, location: string, cookie?: string): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  if (cookie !== undefined) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

function tokenOf({ parameters }: Pick<Exchange, 'parameters'>): string {
  return tokenInPath(parameters['token'] ?? '');
}

function trackingPathOf({ url }: Exchange): string {
  return url.pathname.replace(/\/delivery\/*$/, '');
}

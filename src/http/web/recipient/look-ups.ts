import { suggestionRequest } from '../../../contract/national-address.ts';
import { recipientChange } from '../../../contract/recipient.ts';
import { addressLineOf } from '../../../core/address-line.ts';
import { metersBetween } from '../../../core/earth.ts';
import { parseStored } from '../../../core/json.ts';
import { AMENDMENT_KILOMETERS_MAX } from '../../../core/limits.ts';
import { normalizeShortAddress } from '../../../core/short-address.ts';
import { lookUpsOfShipment, useStatements } from '../../../domain/challenges/limit.ts';
import { addressesFor } from '../../../domain/sandbox/fault/addresses.ts';
import { settle } from '../../../domain/settle.ts';
import type { LinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import type { Addresses } from '../../../ports/addresses.ts';
import type { Coordinates } from '../../../ports/routing.ts';
import type { Exchange } from '../../route-table.ts';
import type { Proposal } from './shown.ts';
import type { Trouble } from './words.ts';

/* The three ways to a place on the recipient's page: the position of the phone, a short code and a text. */

/** Places that the recipient may mean, or what is in the way. */
export type Found = readonly Proposal[] | Trouble;

type LookUp = (exchange: Exchange, linked: LinkedShipment, form: URLSearchParams) => Promise<Found>;

export const locate: LookUp = async (exchange, linked, form) => {
  const given = { latitude: form.get('latitude') ?? '', longitude: form.get('longitude') ?? '' };
  const point = recipientChange.location.safeParse(given).data;
  if (point === undefined) return 'NO_POSITION';
  // The registry is not asked about a place that the parcel cannot go to.
  if (isElsewhere(linked, point)) return 'CITY_CHANGE';
  const addresses = await addressesOf(exchange, linked);
  if (typeof addresses === 'string') return addresses;
  const answer = await addresses.nearest(point);
  const near = answer.kind === 'found' ? answer.address : undefined;
  const line = near === undefined ? '' : addressLineOf(near);
  // The pin is where the phone is, and not where the registry has the next building.
  return [{ title: line, addressLine: line, shortAddress: near?.shortAddress ?? null, ...point }];
};

export const find: LookUp = async (exchange, linked, form) => {
  const code = normalizeShortAddress(form.get('shortAddress') ?? '');
  if (code === undefined) return 'NOT_A_CODE';
  const addresses = await addressesOf(exchange, linked);
  if (typeof addresses === 'string') return addresses;
  const answer = await addresses.find(code);
  if (answer.kind === 'unknown') return 'UNKNOWN_CODE';
  if (answer.kind === 'unavailable') return 'NO_REGISTRY';
  const { location, shortAddress } = answer.address;
  if (isElsewhere(linked, location)) return 'CITY_CHANGE';
  const line = addressLineOf(answer.address);
  return [{ title: line, addressLine: line, shortAddress, ...location }];
};

export const suggest: LookUp = async (exchange, linked, form) => {
  const text = suggestionRequest.text.safeParse((form.get('text') ?? '').trim());
  if (!text.success) return 'NO_PLACES';
  const addresses = await addressesOf(exchange, linked);
  if (typeof addresses === 'string') return addresses;
  const locale = linked.link.locale ?? exchange.facts.locale;
  const found = await addresses.suggest({ text: text.data, near: pinOf(linked), locale });
  if (found === undefined) return 'NO_REGISTRY';
  const here = found.filter(({ location }) => !isElsewhere(linked, location));
  if (here.length === 0) return 'NO_PLACES';
  return here.map(({ title, addressLine, shortAddress, location }) => ({
    title,
    addressLine,
    shortAddress,
    ...location,
  }));
};

/** For a link that lets the recipient change the address. The registry has a quota, so each shipment has a few look-ups a day. */
async function addressesOf(
  { services }: Exchange,
  { scope, store, shipment, link }: LinkedShipment,
): Promise<Addresses | Trouble> {
  if (!link.permissions.includes('ADDRESS')) return 'NOT_PERMITTED';
  const { directory, clock, config } = services;
  const limit = await lookUpsOfShipment(config, shipment.id);
  const counted = settle(await directory.writer.commit({ statements: useStatements([limit], clock.now()) }));
  if (!counted.ok) return 'UNAVAILABLE';
  return counted.value ? addressesFor(services, store, scope) : 'SEARCHES_MANY';
}

function pinOf({ shipment }: LinkedShipment): Coordinates {
  return parseStored<Coordinates>(shipment.destination);
}

/** Whether a move there would be refused. */
function isElsewhere(linked: LinkedShipment, place: Coordinates): boolean {
  return metersBetween(pinOf(linked), place) > AMENDMENT_KILOMETERS_MAX * 1000;
}

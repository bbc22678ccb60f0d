import type { AddressLookUp, SuggestedAddress } from '../../contract/national-address.ts';
import { NAMED_CITIES } from '../../core/names.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { cityOf } from '../../core/typed/city.ts';
import type { Addresses, AddressSearch } from '../../ports/addresses.ts';

/** When to ask a geocoder again that did not answer: the time for which its circuit breaker stays open. */
const GEOCODER_RETRY_SECONDS = 5;

/** The address of a short code in its normal form, with the code of its city. */
export async function findAddress(
  { find }: Pick<Addresses, 'find'>,
  shortAddress: string,
): Promise<Result<AddressLookUp>> {
  const answer = await find(shortAddress);
  if (answer.kind === 'unknown') return refuse('RESOURCE_NOT_FOUND');
  if (answer.kind === 'unavailable') return providerUnavailable(answer.retryAfterSeconds);
  const { address } = answer;
  return ok({ ...address, cityCode: cityCodeOf(address.city) });
}

/** Places that a text may mean, best first. */
export async function suggestAddresses(
  { suggest }: Pick<Addresses, 'suggest'>,
  search: AddressSearch,
): Promise<Result<{ readonly data: SuggestedAddress[] }>> {
  const found = await suggest(search);
  if (found === undefined) return providerUnavailable(GEOCODER_RETRY_SECONDS);
  return ok({ data: found.map(({ city, ...place }) => ({ ...place, cityCode: cityCodeOf(city) })) });
}

function providerUnavailable(retryAfterSeconds: number): Result<never> {
  return refuse('ADDRESS_PROVIDER_UNAVAILABLE', { retryAfterSeconds });
}

/** The code of a city by its name in Arabic or English. Null if no code is known for it. */
function cityCodeOf(name: string | null): string | null {
  return name === null ? null : (cityOf(NAMED_CITIES, name)?.cityCode ?? null);
}

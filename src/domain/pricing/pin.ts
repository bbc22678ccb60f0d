import { cityCentre } from '../../core/city-centres.ts';
import { metersBetween } from '../../core/earth.ts';
import { PIN_KILOMETERS_MAX } from '../../core/limits.ts';
import type { Violation } from '../../core/result.ts';
import type { Coordinates } from '../../ports/routing.ts';

/** How far a pin is from the centre of its city, in metres; undefined for a city whose centre is not known. Pure. */
export function metersFromCentre(cityCode: string, pin: Coordinates): number | undefined {
  const centre = cityCentre(cityCode);
  return centre && metersBetween(centre, pin);
}

/** Refuses a pin that cannot be in its city, because swapped coordinates would cost thousands. Pure. */
export function pinViolations(field: string, cityCode: string, pin: Coordinates): Violation[] {
  const isFar = (point: Coordinates) => (metersFromCentre(cityCode, point) ?? 0) > PIN_KILOMETERS_MAX * 1000;
  if (!isFar(pin)) return [];
  const isSwapped = !isFar({ latitude: pin.longitude, longitude: pin.latitude });
  return [{ field, code: 'DESTINATION_NOT_SERVICEABLE', limit: isSwapped ? 'swapped' : 'farFromCity' }];
}

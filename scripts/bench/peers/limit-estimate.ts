import * as z from 'zod';

/*
 * The limit's price estimate: the same formulas for route and price as in the service, in plain numbers. Amounts are
 * whole halalas, so sums are exact.
 */

const point = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
const question = z.strictObject({
  pickup: point,
  delivery: point,
  destinationCityCode: z.string().regex(/^[A-Z0-9_-]{2,32}$/),
});

/** The sample tariff. */
const BASE_HALALAS = 1200;
const KILOMETRE_HALALAS = 125;
const VAT_PERCENT = 15;
const SURCHARGES: ReadonlyMap<string, number> = new Map([
  ['RUH', 0],
  ['JED', 0],
  ['DMM', 500],
  ['MED', 500],
  ['MKK', 300],
]);

/** Undefined for a request that the service would refuse. */
export function estimate(text: string) {
  const { data } = question.safeParse(JSON.parse(text));
  const surcharge = data && SURCHARGES.get(data.destinationCityCode);
  if (data === undefined || surcharge === undefined) return undefined;
  const distanceMeters = metersBetween(data.pickup, data.delivery);
  const distance = Math.ceil(distanceMeters / 1000) * KILOMETRE_HALALAS;
  const net = BASE_HALALAS + distance + surcharge;
  const vat = roundedQuotient(net * VAT_PERCENT, 100);
  return {
    currency: 'SAR',
    netAmount: net / 100,
    vatRate: VAT_PERCENT / 100,
    vatAmount: vat / 100,
    totalAmount: (net + vat) / 100,
    breakdown: [
      { code: 'BASE', amount: BASE_HALALAS / 100 },
      { code: 'DISTANCE', amount: distance / 100 },
      { code: 'CITY', amount: surcharge / 100 },
    ],
    distanceMeters,
    durationSeconds: Math.max(Math.round(distanceMeters / 10), 60),
    tariffVersion: 1,
    estimatedAt: new Date().toISOString().replace('Z', '000Z'),
  };
}

/** Divides whole numbers of at least zero, and rounds half up. */
function roundedQuotient(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

type Point = z.output<typeof point>;

function metersBetween(start: Point, end: Point): number {
  const northward = Math.sin(radians(end.latitude - start.latitude) / 2) ** 2;
  const eastward = Math.sin(radians(end.longitude - start.longitude) / 2) ** 2;
  const chord = northward + Math.cos(radians(start.latitude)) * Math.cos(radians(end.latitude)) * eastward;
  return Math.round(2 * Math.asin(Math.sqrt(chord)) * 6_371_008.8 * 1.3);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

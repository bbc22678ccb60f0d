import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { v7 } from 'uuid';
import { present, type ShipmentRow } from './usual-row.ts';
import { dispatches, events, shipmentTerms, webhookDeliveries, type webhookEndpoints } from './usual-tables.ts';

/* The rows that a creation writes besides the shipment: price, dispatch, event and deliveries. */

export type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'eventTypes' | 'state'>;

/** The statements for the batch that inserts the shipment. The tariff is a constant, and no route is requested. */
export function effectsOf(db: LibSQLDatabase, row: ShipmentRow, eventId: string, endpoints: readonly Endpoint[]) {
  const { id: shipmentId, companyId, createdAt } = row;
  const told = endpoints.filter(
    ({ state, eventTypes }) =>
      state === 'ENABLED' && (eventTypes.includes('*') || eventTypes.includes('shipment.created')),
  );
  return [
    db.insert(shipmentTerms).values(termsOf(row)),
    db.insert(dispatches).values({
      shipmentId,
      companyId,
      serviceLevelCode: 'STANDARD',
      cityCode: row.pickup.cityCode,
      lengthCentimetres: longestSide(row),
      held: 0,
    }),
    db.insert(events).values({
      id: eventId,
      companyId,
      type: 'shipment.created',
      shipmentId,
      sequence: 1,
      occurredAt: createdAt,
      body: JSON.stringify(envelopeOf(row, eventId)),
    }),
    ...told.map((endpoint) =>
      db.insert(webhookDeliveries).values({
        id: v7(),
        endpointId: endpoint.id,
        companyId,
        eventId,
        eventType: 'shipment.created',
        shipmentId,
        line: shipmentId,
        status: 'PENDING',
        attemptCount: 0,
        nextAttemptAt: createdAt,
        createdAt,
      }),
    ),
  ] as const;
}

const TARIFF = { version: 1, base: 12, kilometre: 1.1, vatRate: '0.15', cancellation: '5' };
const EARTH_RADIUS_METERS = 6_371_008.8;

function termsOf({ id: shipmentId, companyId, createdAt, pickup, destination }: ShipmentRow) {
  const [from, to] = [pointOf(pickup), pointOf(destination)];
  const north = Math.sin((to.latitude - from.latitude) / 2) ** 2;
  const east = Math.sin((to.longitude - from.longitude) / 2) ** 2;
  const arc = 2 * Math.asin(Math.sqrt(north + Math.cos(from.latitude) * Math.cos(to.latitude) * east));
  const distanceMeters = Math.round(arc * EARTH_RADIUS_METERS * 1.3);
  const distanceAmount = (Math.ceil(distanceMeters / 1000) * TARIFF.kilometre).toFixed(2);
  return {
    shipmentId,
    companyId,
    tariffVersion: TARIFF.version,
    currency: 'SAR',
    lines: [
      { code: 'BASE', amount: TARIFF.base.toFixed(2) },
      { code: 'DISTANCE', amount: distanceAmount },
    ],
    vatRate: TARIFF.vatRate,
    cancellationAmount: TARIFF.cancellation,
    distanceMeters,
    durationSeconds: Math.round(distanceMeters / 10),
    geometry: JSON.stringify([from, to]),
    createdAt,
  };
}

function pointOf({ latitude, longitude }: ShipmentRow['pickup']) {
  return { latitude: (Number(latitude) * Math.PI) / 180, longitude: (Number(longitude) * Math.PI) / 180 };
}

function longestSide({ items }: ShipmentRow): string {
  const sides = items.flatMap((item) => [item.lengthCentimetres, item.widthCentimetres, item.heightCentimetres]);
  return String(Math.max(0, ...sides.map(Number).filter(Number.isFinite)));
}

function envelopeOf(row: ShipmentRow, id: string) {
  return {
    id,
    type: 'shipment.created',
    timestamp: new Date(row.createdAt / 1000).toISOString(),
    apiVersion: 'v2',
    deployment: 'local',
    companyId: row.companyId,
    shipmentId: row.id,
    sequence: 1,
    previousState: null,
    correlationId: v7(),
    data: { shipment: present(row) },
  };
}

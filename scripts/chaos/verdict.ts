import type { MirsalClient, MirsalEvent, MirsalOutputs } from '../../src/client.ts';
import { listAll } from '../../src/client.ts';
import type { ChaosReceiver } from './receiver.ts';

type Delivery = MirsalOutputs['webhookDeliveries']['get'];

/** Failed attempts after which a delivery does not hold up the next event of its shipment. */
const PATIENCE = 3;

/** What was promised and did not hold, one sentence each. */
export async function faultsOf(
  client: MirsalClient,
  endpointId: string,
  receiver: ChaosReceiver,
): Promise<{ readonly faults: string[]; readonly events: number; readonly attempts: number; readonly twice: number }> {
  const events: MirsalEvent[] = [];
  for await (const event of listAll(client.events.list, { limit: 100 })) events.push(event);
  const deliveries: Delivery[] = [];
  for await (const { deliveryId } of listAll(client.webhookDeliveries.list, { endpointId, limit: 100 })) {
    deliveries.push(await client.webhookDeliveries.get.query({ deliveryId }));
  }
  const byEvent = new Map(deliveries.map((delivery) => [delivery.eventId, delivery]));
  const takenIds = receiver.taken.map(({ event }) => event.id);
  const faults = [
    ...receiver.forged.map((forged) => `A request was not signed as it should be: ${forged}`),
    ...events.flatMap((event) => lossOf(event, byEvent.get(event.id), takenIds)),
    ...sequenceFaults(events),
    ...orderFaults(events, byEvent),
  ];
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
  return { faults, events: events.length, attempts, twice: takenIds.length - new Set(takenIds).size };
}

/** At least once, or told that it was not. */
function lossOf(event: MirsalEvent, delivery: Delivery | undefined, takenIds: readonly string[]): string[] {
  const name = `${event.type} ${event.id}`;
  if (delivery === undefined) return [`${name} has no delivery`];
  const { status } = delivery;
  if (status === 'SUCCEEDED' && !takenIds.includes(event.id)) return [`${name} is SUCCEEDED and was never taken`];
  if (status === 'PENDING' || status === 'RETRYING') return [`${name} is still ${status}`];
  if (status === 'SKIPPED') return [`${name} was skipped by an endpoint that was never disabled`];
  return [];
}

function sequenceFaults(events: readonly MirsalEvent[]): string[] {
  const last = new Map<string, number>();
  return events.flatMap(({ shipmentId, sequence }) => {
    if (shipmentId === null) return [];
    const before = last.get(shipmentId) ?? 0;
    last.set(shipmentId, sequence);
    return sequence === before + 1 ? [] : [`The events of ${shipmentId} go from ${before} to ${sequence}`];
  });
}

/** The next event of a shipment is not sent before the one before was taken, or has failed three times. */
function orderFaults(events: readonly MirsalEvent[], byEvent: ReadonlyMap<string, Delivery>): string[] {
  const shipments = Map.groupBy(
    events.filter(({ shipmentId }) => shipmentId !== null),
    ({ shipmentId }) => shipmentId,
  );
  return [...shipments.values()].flatMap((ofOne) =>
    ofOne.slice(1).flatMap((event, index) => {
      const earlier = byEvent.get(ofOne[index]?.id ?? '');
      const first = byEvent.get(event.id)?.attempts[0];
      if (earlier === undefined || first === undefined) return [];
      const third = earlier.attempts[PATIENCE - 1];
      const isOver = earlier.completedAt !== null && earlier.completedAt <= first.startedAt;
      const isPast = third !== undefined && third.startedAt <= first.startedAt;
      return isOver || isPast ? [] : [`${event.type} ${event.id} overtook ${earlier.eventType}`];
    }),
  );
}

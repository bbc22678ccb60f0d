import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import type { Delivery } from './words.tsx';

type Details = Outputs['activity']['details']['data'][number];

/** Reads the names and last events of these shipments in one call, by their ids. */
export async function readDetails(ids: readonly string[]): Promise<ReadonlyMap<string, Details>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const { data } = await service.activity.details.query({ shipmentIds: distinct.join(',') });
  return new Map(data.map((one) => [one.shipmentId, one]));
}

/** The names of the shipments of deliveries: the merchant's reference, or the number. Read again only for other shipments. */
export function useShipmentNames(deliveries: readonly Pick<Delivery, 'shipmentId'>[]): ReadonlyMap<string, string> {
  const ids = deliveries.flatMap(({ shipmentId }) => shipmentId ?? []);
  const { value } = useLoaded(`names ${[...new Set(ids)].toSorted().join()}`, () => readDetails(ids));
  const named = [...(value ?? [])].map(
    ([id, { externalReference, shipmentNumber }]) => [id, externalReference ?? shipmentNumber] as const,
  );
  return new Map(named);
}

/** A link to a shipment, by its name as far as that is known. */
export function ShipmentLink({ shipmentId, name }: { readonly shipmentId: string; readonly name: string | undefined }) {
  return (
    <Link to={addressOf(`shipments/${shipmentId}`)}>
      <bdi class="reference">{name ?? shipmentId}</bdi>
    </Link>
  );
}

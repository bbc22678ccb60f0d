import { newId } from '../../../scripts/shared/seed-values.ts';
import type { AmendmentRequest } from '../../../src/contract/shipment-amendment.ts';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { instantFromMillis } from '../../../src/core/instant.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { type AmendOrder, amendShipment, previewAmendment } from '../../../src/domain/shipments/amend.ts';
import type { Amendment } from '../../../src/domain/shipments/amendment.ts';
import { executeCommand, type Lane } from '../../../src/domain/shipments/command.ts';
import type { TestShard } from './test-shard.ts';

type Process = ReturnType<TestShard['process']>;

/** A lane without a queue. `before` runs before each of its commands. */
function laneOf(process: Process, before: () => Promise<unknown>): Lane {
  return {
    async execute(scope, order) {
      await before();
      return executeCommand(process, scope, order);
    },
  };
}

/** Amends a shipment as its merchant does, whatever its version is. */
export function amend(
  { scope }: TestShard,
  process: Process,
  shipmentId: Uuid,
  request: AmendmentRequest,
  { before = async () => undefined, ...changes }: Partial<AmendOrder> & { before?: () => Promise<unknown> } = {},
) {
  const dependencies = { ...process, lane: laneOf(process, before) };
  return amendShipment(dependencies, scope, {
    shipmentId,
    request,
    asker: { actor: 'MERCHANT' },
    precondition: { kind: 'any' },
    correlationId: newId(),
    priceLimit: undefined,
    claim: undefined,
    ...changes,
  });
}

export async function previewOf({ scope }: TestShard, process: Process, shipmentId: Uuid, request: AmendmentRequest) {
  const preview = await previewAmendment(process, scope, { shipmentId, request });
  if (!preview.ok) throw new Error(`Not previewed: ${JSON.stringify(preview)}`);
  return preview.value;
}

/** A pin at so many degrees north of the sample destination, on its meridian. A thousandth is about 111 m. */
export function pin(latitude: string, longitude = '46.7') {
  return { location: { latitude: literalDecimal(latitude), longitude: literalDecimal(longitude) } };
}

/** For rules that do not look into it. */
export function sampleAmendment(): Amendment {
  const at = instantFromMillis(0);
  const zero = literalDecimal('0');
  return {
    id: newId(),
    changes: ['LOCATION'],
    waiting: null,
    isConfirmed: false,
    row: {
      destination: '{}',
      recipientName: '-',
      recipientFoldedName: '-',
      recipientPhone: '+966500000001',
      alternateContactName: null,
      alternateContactPhone: null,
      pickupWindowStart: at,
      pickupWindowEnd: at,
      deliveryWindowStart: null,
      deliveryWindowEnd: null,
      codAmount: zero,
      place: null,
      instructions: null,
      searchFrom: null,
    },
    address: null,
    amount: zero,
    vatAmount: zero,
    route: null,
    pricedDistanceMeters: null,
  };
}

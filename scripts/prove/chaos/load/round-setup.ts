import type { OwnEnvironment, TestCompany } from '../../../shared/connection.ts';
import { type Receiver, startReceiver } from '../../../shared/receiver.ts';
import { newSandbox } from '../../../shared/sandbox.ts';
import type { ShardId } from '../../../shared/sql.ts';
import { webhooksOf } from '../../../shared/webhooks.ts';
import type { BatchBody } from './history.ts';

/** A shipment as the clients of its company know it. */
export interface KnownShipment {
  readonly shipmentId: string;
  version: number;
  state: string;
}

export interface KnownLink {
  readonly linkId: string;
  readonly shipmentId: string;
  readonly token: string;
}

export interface KnownBatch {
  readonly batchId: string;
  readonly batch: BatchBody;
}

/** A company of one round, with what its clients have learned from answers. */
export interface RoundCompany {
  readonly company: TestCompany;
  /** The last token that one of its clients got. */
  authorization: string;
  readonly driverAuthorization: string;
  readonly shipments: KnownShipment[];
  readonly links: KnownLink[];
  readonly batches: KnownBatch[];
}

/** New companies for one round, so that their rows come from this round alone. */
export interface RoundSetup {
  readonly actors: readonly RoundCompany[];
  readonly receiver: Receiver;
}

/** Two companies share a shard, one is alone. */
const SHARDS: readonly ShardId[] = ['shard-1', 'shard-1', 'shard-2'];

export async function setUpRound(environment: OwnEnvironment): Promise<RoundSetup> {
  const receiver = await startReceiver();
  const actors = await Promise.all(SHARDS.map((shard, index) => newActor(environment, shard, index, receiver)));
  return { actors, receiver };
}

/** Only the first company's events are delivered: deliveries take most of a small machine's time. */
async function newActor(
  environment: OwnEnvironment,
  shard: ShardId,
  index: number,
  receiver: Receiver,
): Promise<RoundCompany> {
  const { company, merchant, signIn } = await newSandbox(environment, shard);
  const webhooks = await webhooksOf(environment, merchant);
  await webhooks.add(receiver.url, index === 0 ? { eventTypes: EVENTS_SENT } : { enabled: false });
  const driver = await signIn();
  return {
    company,
    authorization: `Bearer ${await environment.token(company)}`,
    driverAuthorization: `Bearer ${driver.token}`,
    shipments: [],
    links: [],
    batches: [],
  };
}

const EVENTS_SENT = ['shipment.created', 'shipment.cancelled', 'tracking_link.revoked'];

/** Ends all open work of a round, which would load the later rounds. */
export async function clearRound(environment: OwnEnvironment, { actors, receiver }: RoundSetup): Promise<void> {
  for (const { company } of actors) {
    const rest = 'update shipments set due_at = null where company_id = ? and due_at is not null';
    await environment.sql(company.shard, rest, [company.companyId]);
    const stop = 'update shipment_batches set due_at = null where company_id = ? and due_at is not null';
    await environment.sql(company.shard, stop, [company.companyId]);
    const end = "update webhook_endpoints set state = 'DELETED' where company_id = ?";
    await environment.sql(company.shard, end, [company.companyId]);
  }
  await receiver.close();
}

import { addCompany } from '../../../scripts/shared/companies.ts';
import type { Environment, OwnEnvironment } from '../../../scripts/shared/connection.ts';
import { startEnvironment } from '../../../scripts/shared/environment.ts';
import { setApprovalPolicy } from '../../../scripts/shared/force-state.ts';
import { type Merchant, merchantOf } from '../../../scripts/shared/merchant.ts';
import { freePort, LOOPBACK } from '../../../scripts/shared/ports.ts';
import { newSandbox, type Sandbox, type TestDriver } from '../../../scripts/shared/sandbox.ts';
import { startService } from '../../../scripts/shared/service.ts';
import { signInBySms } from '../driver-sign-in.ts';

/** A request that can be sent as it is or with a fault. */
export interface Sample {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The only caller who may send it, if others of the same kind may not. */
  readonly authorization?: string;
}

/** A service that requests can be sent to. */
export type RequestTarget = Pick<Environment, 'fetch'>;

/** The callers of valid requests, and the service they use. */
export interface Scene {
  readonly environment: Environment;
  /** Belongs to a company with manual approval, so its shipments stay as they are. */
  readonly sandbox: Sandbox;
  /** A driver with a shipment of another company's sandbox. */
  readonly driver: TestDriver & { readonly shipmentId: string };
}

/** The services that requests are sent to: a working one and failing ones. */
export interface FailingScene extends Scene {
  /** Its first shard is gone, and each caller has one read and one write a minute. */
  readonly failing: OwnEnvironment;
  /** Works in the shard of `failing` that is left. */
  readonly limitedDriver: TestDriver;
  /** Has no message provider. */
  readonly production: RequestTarget;
  /** Its directory is gone. */
  readonly headless: RequestTarget;
  stop(): Promise<void>;
}

/** One way to reach a status of an operation. */
export type Way = readonly [status: number, go: () => Promise<Response>];

/** A valid request of an operation, and the ways to reach statuses that only it has. */
export interface Exercise {
  readonly good: (scene: Scene) => Promise<Omit<Sample, 'method'>>;
  readonly own?: (scene: FailingScene) => readonly Way[];
}

export async function newScene(environment: Environment): Promise<Scene> {
  const sandbox = await newSandbox(environment);
  await setApprovalPolicy(environment, sandbox.company, 'MANUAL');
  return { environment, sandbox, driver: await newDriverUnderWay(environment) };
}

export async function newFailingScene(environment: Environment): Promise<FailingScene> {
  const scene = await newScene(environment);
  const failing = await startEnvironment('worker', {
    RATE_LIMITS: JSON.stringify({ reads: 1, writes: 1, estimates: 1, tokens: 3, tracking: 1 }),
  });
  const limitedDriver = await signInBySms(failing, (await newSandbox(failing, 'shard-2')).phone);
  await failing.databases.shards['shard-1'].kill();
  const deployed = { DEPLOYMENT: 'production', LOCATION_HINT: 'weur' };
  const production = await startEnvironment('worker', deployed);
  const nowhere = JSON.stringify({ url: `http://${LOOPBACK}:${await freePort()}` });
  const headless = await startService('worker', { ...failing.variables, LIBSQL_DIRECTORY: nowhere });
  return {
    ...scene,
    failing,
    limitedDriver,
    production: { fetch: (path, init) => fetch(production.address + path, init) },
    headless: { fetch: (path, init) => fetch(headless.address + path, init) },
    async stop() {
      await headless.stop();
      await production.stop();
      await failing.stop();
    },
  };
}

async function newDriverUnderWay(environment: Environment): Promise<Scene['driver']> {
  const sandbox = await newSandbox(environment);
  const driver = await signInBySms(environment, sandbox.phone);
  const { shipmentId } = await sandbox.create();
  await sandbox.untilState(shipmentId, 'OFFERED');
  await driver.act(shipmentId, { action: 'ACCEPT' });
  return { ...driver, shipmentId };
}

/** A company without a sandbox. */
export async function newMerchant(environment: Environment): Promise<Merchant> {
  return merchantOf(environment, await addCompany(environment));
}

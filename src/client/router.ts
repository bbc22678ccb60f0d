import type { TRPCClient } from '@trpc/client';
import type {
  AnyTRPCProcedure,
  inferRouterInputs,
  inferRouterOutputs,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCRouterRecord,
} from '@trpc/server';
import type { AppRouter } from '../../routers/index.ts';

/** The service's router, with optional idempotency keys, because the client adds missing ones. */
export type MirsalRouter = TRPCBuiltRouter<AppDef['_config']['$types'], Relaxed<AppDef['record']>>;

/** `client.shipments.create.mutate({ … })`, `client.shipments.get.query({ shipmentId })`, and so on. */
export type MirsalClient = TRPCClient<MirsalRouter>;

/** The inputs of the procedures: `MirsalInputs['shipments']['create']`. */
export type MirsalInputs = inferRouterInputs<MirsalRouter>;

/** The outputs of the procedures: `MirsalOutputs['shipments']['list']`. */
export type MirsalOutputs = inferRouterOutputs<MirsalRouter>;

/** A shipment in a response. Decimals and instants are strings. */
export type Shipment = MirsalOutputs['shipments']['get'];
export type Branch = MirsalOutputs['branches']['list']['data'][number];
export type PickupLocation = MirsalOutputs['pickupLocations']['list']['data'][number];

/** Procedures that take an idempotency key, for which the client makes one: `shipments.create`, `trackingLinks.create`. */
export type KeyTakingPath = KeyTakingPathOf<AppDef['record'], ''>;

type AppDef = AppRouter['_def'];

interface Keyed {
  readonly idempotencyKey: string;
}

type Relaxed<Procedures extends TRPCRouterRecord> = {
  [Name in keyof Procedures]: Procedures[Name] extends AnyTRPCProcedure
    ? RelaxedProcedure<Procedures[Name]>
    : Procedures[Name] extends TRPCRouterRecord
      ? Relaxed<Procedures[Name]>
      : never;
};

type RelaxedProcedure<Procedure extends AnyTRPCProcedure> = TypesOf<Procedure>['input'] extends Keyed
  ? TRPCMutationProcedure<{
      input: WithoutDuty<TypesOf<Procedure>['input']>;
      output: TypesOf<Procedure>['output'];
      errorShape: TypesOf<Procedure>['errorShape'];
      meta: Procedure['meta'];
    }>
  : Procedure;

type WithoutDuty<Input> = Omit<Input, keyof Keyed> & { readonly idempotencyKey?: string | undefined };

type KeyTakingPathOf<Procedures extends TRPCRouterRecord, Prefix extends string> = {
  [Name in keyof Procedures & string]: Procedures[Name] extends AnyTRPCProcedure
    ? TakesKey<TypesOf<Procedures[Name]>['input']> extends true
      ? `${Prefix}${Name}`
      : never
    : Procedures[Name] extends TRPCRouterRecord
      ? KeyTakingPathOf<Procedures[Name], `${Prefix}${Name}.`>
      : never;
}[keyof Procedures & string];

/** An input without members has the type of a map. */
type TakesKey<Input> = string extends keyof Input ? false : keyof Keyed extends keyof Input ? true : false;

type TypesOf<Procedure extends AnyTRPCProcedure> = Procedure['_def']['$types'];

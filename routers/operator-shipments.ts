import * as z from 'zod';
import type { AuditActor, Operator } from '../src/access/principal.ts';
import { scopeForOperator, scopeWithActor } from '../src/access/require.ts';
import { seenVersion } from '../src/contract/fleet.ts';
import { nationalAddress } from '../src/contract/national-address.ts';
import {
  commandedShipment,
  OPERATOR_QUEUES,
  operatorShipment,
  operatorShipmentDetail,
} from '../src/contract/operator-shipment.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { releasedProof } from '../src/contract/proof.ts';
import { reviewReason } from '../src/contract/registration-review.ts';
import { externalReference, timelineEntry } from '../src/contract/shipment.ts';
import { CANCELLATION_REASONS, FAILURE_REASONS, HANDOVER_REASONS } from '../src/contract/shipment-state.ts';
import { instant, logged, patterned, text, uuid } from '../src/contract/values.ts';
import { orThrow, Problem } from '../src/core/problem.ts';
import { refuse, unavailable } from '../src/core/result.ts';
import type { Uuid } from '../src/core/uuid.ts';
import { overrideAddress } from '../src/domain/addresses/override.ts';
import { companyById } from '../src/domain/companies/store.ts';
import { takeOverCommand } from '../src/domain/drivers/take-over.ts';
import { releaseProof } from '../src/domain/proof/release.ts';
import type { Command } from '../src/domain/shipments/lifecycle.ts';
import { listQueue, readForOperator, searchShipments } from '../src/domain/shipments/operator-lists.ts';
import { listTimeline } from '../src/domain/shipments/read.ts';
import { retryCommand } from '../src/domain/shipments/retry.ts';
import { presentCommanded } from '../src/domain/shipments/view.ts';
import type { Context } from './context.ts';
import { enterCurrentShard, operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const ofCompany = { companyId: uuid, shipmentId: uuid };
const seen = { ...ofCompany, ...seenVersion };
const comment = z.optional(text({ max: 240 }));
const handover = { ...seen, reasonCode: z.enum(HANDOVER_REASONS), comment };

/** Shipments of all companies, for operators. */
export const operatorShipments = router({
  /** Shipments that need an operator, the longest waiting first. */
  listQueue: operatorProcedure('reads')
    .input(request({ query: { queue: z.enum(OPERATOR_QUEUES), ...pageRequest } }))
    .output(answer(pageOf(operatorShipment)))
    .query(async ({ ctx, input }) => orThrow(await listQueue(ctx.services, input))),

  /**
   * Finds shipments by number, by reference, or by the last four digits of the recipient's phone, oldest first. A search by
   * phone covers at most 24 hours, or 31 days of one company.
   */
  search: operatorProcedure('reads')
    .input(
      request({
        query: {
          shipmentNumber: z.optional(logged(text({ min: 1, max: 32 }))),
          externalReference: z.optional(externalReference()),
          phoneTail: z.optional(patterned(/^[0-9]{4}$/, 'fourDigits', { example: '0009' })),
          createdFrom: z.optional(instant),
          createdTo: z.optional(instant),
          companyId: z.optional(uuid),
          ...pageRequest,
        },
      }),
    )
    .output(answer(pageOf(operatorShipment)))
    .query(async ({ ctx, input }) => orThrow(await searchShipments(ctx.services, input))),

  /** A shipment with its recipient. The audit names the operator, once an hour for each shipment. */
  get: operatorProcedure('reads')
    .input(request({ query: ofCompany }))
    .output(answer(operatorShipmentDetail))
    .query(async ({ ctx, input }) => {
      const { company, store } = await companyAt(ctx, input.companyId);
      return orThrow(await readForOperator({ ...store, ...ctx.services }, company, input.shipmentId));
    }),

  timeline: operatorProcedure('reads')
    .input(request({ query: { ...ofCompany, ...pageRequest } }))
    .output(answer(pageOf(timelineEntry)))
    .query(async ({ ctx, input: { companyId, ...page } }) => {
      const { company, store } = await companyAt(ctx, companyId);
      return orThrow(await listTimeline({ ...ctx.services, ...store }, company, page));
    }),

  /**
   * Takes a shipment that was accepted but not picked up from its driver. A new search begins, in which this driver is not
   * asked first.
   */
  reassign: operatorProcedure('writes')
    .input(request({ body: handover }))
    .output(answer(commandedShipment))
    .mutation(({ ctx, input }) =>
      run(ctx, input, () => ({ name: 'REASSIGN', reasonCode: input.reasonCode, comment: input.comment ?? null })),
    ),

  /** Gives a parcel that was picked up to another driver, who has met the one who had it. */
  takeOver: operatorProcedure('writes')
    .input(request({ body: { ...handover, driverId: uuid } }))
    .output(answer(commandedShipment))
    .mutation(({ ctx, input: { companyId, version, ...input } }) =>
      run(ctx, { ...input, companyId, version }, async ({ company, store }) =>
        orThrow(
          await takeOverCommand({ ...ctx.services, ...store }, company, { ...input, comment: input.comment ?? null }),
        ),
      ),
    ),

  /** Ends a shipment that was picked up. Before departure the reason can only be LOST or DAMAGED. */
  fail: operatorProcedure('writes')
    .input(request({ body: { ...seen, reasonCode: z.enum(FAILURE_REASONS), comment } }))
    .output(answer(commandedShipment))
    .mutation(({ ctx, input }) =>
      run(ctx, input, () => ({ name: 'FAIL', reasonCode: input.reasonCode, comment: input.comment ?? null })),
    ),

  /** Cancels a shipment that was not picked up. It costs the company nothing. */
  cancel: operatorProcedure('writes')
    .input(request({ body: { ...seen, reasonCode: z.enum(CANCELLATION_REASONS), comment } }))
    .output(answer(commandedShipment))
    .mutation(({ ctx, input }) =>
      run(ctx, input, () => ({ name: 'CANCEL', reasonCode: input.reasonCode, comment: input.comment ?? null })),
    ),

  /** Lets a shipment pass to drivers whatever its National Address is. The audit has the reason. */
  overrideAddress: operatorProcedure('writes')
    .input(request({ body: { ...ofCompany, reason: reviewReason } }))
    .output(answer(nationalAddress))
    .mutation(async ({ ctx, input: { companyId, ...order } }) => {
      const { company, store } = await companyAt(ctx, companyId);
      return orThrow(await overrideAddress({ ...ctx.services, ...store }, company, order));
    }),

  /** Lets a delivery or a failure pass without all that it has to prove. The audit has the reason. */
  releaseProof: operatorProcedure('writes')
    .input(request({ body: { ...ofCompany, reason: reviewReason } }))
    .output(answer(releasedProof))
    .mutation(async ({ ctx, input: { companyId, ...order } }) => {
      const { company, store } = await companyAt(ctx, companyId);
      return orThrow(await releaseProof({ ...ctx.services, ...store }, company, order));
    }),

  /** Searches for a driver again. */
  retryDispatch: operatorProcedure('writes')
    .input(request({ body: seen }))
    .output(answer(commandedShipment))
    .mutation(({ ctx, input }) =>
      run(ctx, input, async ({ company, store }) =>
        orThrow(await retryCommand({ ...ctx.services, ...store }, company, input.shipmentId)),
      ),
    ),

  /** Approves a shipment of a company whose policy is MANUAL (or before the service does it by itself). */
  approve: operatorProcedure('writes')
    .input(request({ body: ofCompany }))
    .output(answer(commandedShipment))
    .mutation(async ({ ctx, input }) => {
      const { company } = await companyAt(ctx, input.companyId);
      const order = {
        shipmentId: input.shipmentId,
        command: { name: 'APPROVE' },
        actor: 'OPERATOR',
        precondition: { kind: 'any' },
        correlationId: ctx.facts.correlationId,
      } as const;
      return presentCommanded(orThrow(await ctx.services.lane.execute(company, order)));
    }),
});

interface SeenShipment {
  readonly companyId: Uuid;
  readonly shipmentId: Uuid;
  readonly version: number;
}

/** Runs a command on the version that the operator saw: 409 or 412 with the current state if somebody was faster. */
async function run(
  ctx: OperatorContext,
  { companyId, shipmentId, version }: SeenShipment,
  commandIn: (where: Awaited<ReturnType<typeof companyAt>>) => Command | Promise<Command>,
) {
  const where = await companyAt(ctx, companyId);
  const order = {
    shipmentId,
    command: await commandIn(where),
    actor: 'OPERATOR',
    precondition: { kind: 'versions', versions: [version] },
    correlationId: ctx.facts.correlationId,
  } as const;
  return presentCommanded(orThrow(await ctx.services.lane.execute(where.company, order)));
}

interface OperatorContext extends Context {
  readonly operator: Operator;
  readonly actor: AuditActor;
}

/** The company that an operator names, in its current shard. */
export async function companyAt(ctx: OperatorContext, companyId: Uuid) {
  const found = await ctx.services.directory.database.read(companyById(companyId));
  if (!found.ok) throw new Problem(unavailable());
  const [company] = found.rows;
  if (company === undefined) throw new Problem(refuse('ACCESS_DENIED'));
  return enterCurrentShard(ctx, scopeWithActor(scopeForOperator(ctx.operator, company), ctx.actor));
}

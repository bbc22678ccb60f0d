import * as z from 'zod';
import type { AuditActor } from '../src/access/principal.ts';
import {
  boardDriver,
  driver,
  driverChanges,
  driverRequest,
  fleetStatus,
  seenVersion,
  serviceLevel,
  serviceLevelChanges,
  serviceLevelCode,
  serviceLevelRequest,
  sessionsEndReason,
} from '../src/contract/fleet.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { cityCode } from '../src/contract/shipment.ts';
import { text, uuid } from '../src/contract/values.ts';
import { orThrow, Problem } from '../src/core/problem.ts';
import { refuse } from '../src/core/result.ts';
import { changeDriverPhone, endDriverSessions } from '../src/domain/drivers/driver-access.ts';
import { createDriver, setDriverDuty, updateDriver } from '../src/domain/drivers/fleet.ts';
import {
  listBoard,
  listDrivers,
  presentDriver,
  presentServiceLevel,
  readDriver,
} from '../src/domain/drivers/fleet-view.ts';
import { createServiceLevel, listServiceLevels, updateServiceLevel } from '../src/domain/drivers/service-level.ts';
import type { Context } from './context.ts';
import { operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** Service levels and drivers of a shard. Each procedure takes the shard, because the fleet belongs to no company. */

const shard = { shard: text({ min: 1, max: 64 }) };
const driverId = { driverId: uuid };

export const serviceLevels = router({
  create: operatorProcedure('writes')
    .input(request({ body: { ...shard, ...serviceLevelRequest } }))
    .output(answer(serviceLevel))
    .mutation(async ({ ctx, input: { shard: name, ...terms } }) =>
      presentServiceLevel(orThrow(await createServiceLevel(inShard(ctx, name), terms))),
    ),
  update: operatorProcedure('writes')
    .input(request({ body: { ...shard, ...serviceLevelCode, ...seenVersion, ...serviceLevelChanges } }))
    .output(answer(serviceLevel))
    .mutation(async ({ ctx, input: { shard: name, code, version, ...changes } }) =>
      presentServiceLevel(orThrow(await updateServiceLevel(inShard(ctx, name), { code, version }, changes))),
    ),
  list: operatorProcedure('reads')
    .input(request({ body: shard }))
    .output(answer(z.array(serviceLevel)))
    .query(async ({ ctx, input }) =>
      orThrow(await listServiceLevels(inShard(ctx, input.shard))).map(presentServiceLevel),
    ),
});

export const drivers = router({
  create: operatorProcedure('writes', 'recently')
    .input(request({ body: { ...shard, ...driverRequest } }))
    .output(answer(driver))
    .mutation(async ({ ctx, input: { shard: name, ...terms } }) =>
      presentDriver(orThrow(await createDriver(inShard(ctx, name), terms))),
    ),
  update: operatorProcedure('writes', 'recently')
    .input(request({ body: { ...shard, ...driverId, ...seenVersion, ...driverChanges } }))
    .output(answer(driver))
    .mutation(async ({ ctx, input: { shard: name, driverId: id, version, ...changes } }) =>
      presentDriver(orThrow(await updateDriver(inShard(ctx, name), { driverId: id, version }, changes))),
    ),
  /** Changes the phone that a driver signs in with, and ends the driver's sessions. */
  changePhone: operatorProcedure('writes', 'recently')
    .input(request({ body: { ...shard, ...driverId, ...seenVersion, phone: driverRequest.phone } }))
    .output(answer(driver))
    .mutation(async ({ ctx, input: { shard: name, driverId: id, version, phone } }) =>
      presentDriver(orThrow(await changeDriverPhone(inShard(ctx, name), { driverId: id, version }, phone))),
    ),
  /** Ends all sessions of a driver. The reason is in the audit. */
  endSessions: operatorProcedure('writes')
    .input(request({ body: { ...shard, ...driverId, ...sessionsEndReason } }))
    .output(answer(driver))
    .mutation(async ({ ctx, input: { shard: name, ...order } }) =>
      presentDriver(orThrow(await endDriverSessions(inShard(ctx, name), order))),
    ),
  setDuty: operatorProcedure('writes')
    .input(request({ body: { ...shard, ...driverId, ...seenVersion, onDuty: z.boolean() } }))
    .output(answer(driver))
    .mutation(async ({ ctx, input: { shard: name, driverId: id, version, onDuty } }) =>
      presentDriver(orThrow(await setDriverDuty(inShard(ctx, name), { driverId: id, version }, onDuty))),
    ),
  get: operatorProcedure('reads')
    .input(request({ body: { ...shard, ...driverId } }))
    .output(answer(driver))
    .query(async ({ ctx, input }) => orThrow(await readDriver(inShard(ctx, input.shard), input.driverId))),
  list: operatorProcedure('reads')
    .input(
      request({
        body: { ...shard, cityCode: z.optional(cityCode()), status: z.optional(fleetStatus) },
        query: pageRequest,
      }),
    )
    .output(answer(pageOf(driver)))
    .query(async ({ ctx, input: { shard: name, ...page } }) => orThrow(await listDrivers(inShard(ctx, name), page))),
  /** Drivers of a city in all shards, with the age of their last position. */
  board: operatorProcedure('reads')
    .input(request({ body: { cityCode: cityCode() }, query: pageRequest }))
    .output(answer(pageOf(boardDriver)))
    .query(async ({ ctx, input }) => orThrow(await listBoard(ctx.services, input))),
});

/** The services with the shard's database. A shard that this deployment does not have is the caller's error. */
function inShard({ services, enterShard, actor }: Context & { readonly actor: AuditActor }, name: string) {
  const store = services.shards.get(name);
  if (store !== undefined) {
    enterShard(name);
    return { ...services, ...store, actor };
  }
  const limit = [...services.shards.keys()].join(', ');
  throw new Problem(refuse('VALIDATION_FAILED', { violations: [{ field: 'shard', code: 'NOT_IN_ENUM', limit }] }));
}

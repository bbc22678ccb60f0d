import * as z from 'zod';
import { DRIVER_STATUSES, OFF_DUTY_REASONS, SESSIONS_END_REASONS, VEHICLE_TYPES } from './driver-state.ts';
import { cityCode, measure, requirements, saudiMobile, version } from './shipment.ts';
import {
  addRepetitions,
  coordinateOut,
  decimalOut,
  instantOut,
  integer,
  logged,
  patterned,
  publicName,
  uuidOut,
} from './values.ts';

/**
 * Service levels and drivers as operators manage them. A shipment's requirements match the capabilities of levels and
 * drivers.
 */

const SERVED_CITIES_MAX = 500;
const RANK_MAX = 10_000;
/** More than a driver can carry at once. */
const ACTIVE_MAX = 100;
const VERSION_MAX = Number.MAX_SAFE_INTEGER;

const cities = z
  .array(cityCode())
  .min(1)
  .max(SERVED_CITIES_MAX)
  .check((context) => addRepetitions(context, context.value));

export const fleetStatus = z.enum(DRIVER_STATUSES);
/** The version that the caller saw. If it is no longer current, the change is refused. */
export const seenVersion = { version: integer(0, VERSION_MAX) };

const limits = { capabilities: requirements, weightKilogramsMax: measure(), lengthCentimetresMax: measure() };

export const serviceLevelCode = { code: patterned(/^[A-Z][A-Z0-9_]{1,47}$/, 'code', { example: 'STANDARD' }) };
const serviceLevelTerms = { ...limits, cities, rank: integer(0, RANK_MAX) };
/** Members of a new service level. */
export const serviceLevelRequest = { ...serviceLevelCode, ...serviceLevelTerms };
export type ServiceLevelRequest = z.output<z.ZodObject<typeof serviceLevelRequest>>;

const serviceLevelChangesObject = z.strictObject({ ...serviceLevelTerms, status: fleetStatus }).partial();
/** Members of a service level that can be changed; absent members keep their values. */
export const serviceLevelChanges = serviceLevelChangesObject.shape;
export type ServiceLevelChanges = z.output<typeof serviceLevelChangesObject>;

export const serviceLevel = z
  .strictObject({
    code: logged(z.string()),
    capabilities: z.array(logged(z.string())),
    weightKilogramsMax: decimalOut(),
    lengthCentimetresMax: decimalOut(),
    cities: z.array(logged(z.string())),
    rank: z.number(),
    status: fleetStatus,
    createdAt: instantOut,
    updatedAt: instantOut,
    version,
  })
  .meta({ id: 'ServiceLevel' });

const driverTerms = {
  firstName: publicName(60),
  vehicleType: z.enum(VEHICLE_TYPES),
  ...limits,
  cityCode: cityCode(),
  activeMax: integer(1, ACTIVE_MAX),
};
/** Members of a new driver. A driver starts off duty, and reports positions from the driver's app. */
export const driverRequest = { phone: saudiMobile(), ...driverTerms };
export type DriverRequest = z.output<z.ZodObject<typeof driverRequest>>;

const driverChangesObject = z.strictObject({ ...driverTerms, status: fleetStatus }).partial();
/** Members of a driver that can be changed; absent members keep their values. The phone changes by itself, with the sessions. */
export const driverChanges = driverChangesObject.shape;
export type DriverChanges = z.output<typeof driverChangesObject>;

/** Why the sessions of a driver end. */
export const sessionsEndReason = { reasonCode: z.enum(SESSIONS_END_REASONS) };

/** A driver of a shard, as operators see it. */
export const driver = z
  .strictObject({
    driverId: uuidOut,
    maskedPhone: z.string(),
    firstName: z.string(),
    vehicleType: z.enum(VEHICLE_TYPES),
    /** The one company whose shipments a sandbox's driver takes. */
    companyId: z.nullable(uuidOut),
    capabilities: z.array(logged(z.string())),
    weightKilogramsMax: decimalOut(),
    lengthCentimetresMax: decimalOut(),
    cityCode: logged(z.string()),
    status: fleetStatus,
    onDuty: z.boolean(),
    /** Why the service put the driver off duty; null if somebody did. */
    offDutyReason: z.nullable(z.enum(OFF_DUTY_REASONS)),
    activeCount: z.number(),
    activeMax: z.number(),
    position: z.nullable(
      z.strictObject({ latitude: coordinateOut(), longitude: coordinateOut(), recordedAt: z.nullable(instantOut) }),
    ),
    idleSince: instantOut,
    createdAt: instantOut,
    updatedAt: instantOut,
    version,
  })
  .meta({ id: 'FleetDriver' });

/** A driver of any shard on the board of a city. */
export const boardDriver = z.strictObject({
  ...driver.shape,
  shard: z.string(),
  /** How old the last position is; null without a position. */
  positionAgeSeconds: z.nullable(z.number()),
});

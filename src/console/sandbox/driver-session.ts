import { type Inputs, type Outputs, service, serviceForDriver } from '../service/calls.ts';
import { failureOf } from '../service/failure.ts';

/** The driver's session of this page, in its memory alone: codes are few, so it is kept from shipment to shipment. */
let known: { readonly phone: string; readonly driver: ReturnType<typeof serviceForDriver> } | undefined;

/** Whether the driver with this phone is signed in on this page. */
export function isDriverSignedIn(phone: string): boolean {
  return known?.phone === phone;
}

/** Signs the sandbox's driver in by the code that the answer tells. */
export async function signDriverIn(phone: string): Promise<void> {
  const { challengeId, sandboxOtp: otp } = await service.sandbox.startDriverSession.mutate({ phone });
  const { driverToken } = await service.sandbox.verifyDriverSession.mutate({ challengeId, otp });
  known = { phone, driver: serviceForDriver(driverToken) };
}

/** Ends it, as a reset does. */
export function forgetDriver(): void {
  known = undefined;
}

/**
 * Does something as the driver. A session of his that has ended is begun anew here: told to the page, it would ask the
 * person in front of it to sign in.
 */
export async function actAsDriver(phone: string, order: Inputs['driver']['act']): Promise<Outputs['driver']['act']> {
  if (known?.phone !== phone) await signDriverIn(phone);
  try {
    return await act(order);
  } catch (error) {
    if (failureOf(error).code !== 'AUTHENTICATION_REQUIRED') throw error;
    await signDriverIn(phone);
    return act(order);
  }
}

function act(order: Inputs['driver']['act']): Promise<Outputs['driver']['act']> {
  if (known === undefined) throw new Error('The driver is not signed in');
  return known.driver.driver.act.mutate(order);
}

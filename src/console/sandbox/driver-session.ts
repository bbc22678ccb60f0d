import { type Inputs, type Outputs, service, serviceForDriver } from '../../ui/browser/service/calls.ts';
import { failureOf } from '../../ui/browser/service/failure.ts';

/** The driver's session, kept in memory. The number of codes is limited, so all shipments share one session. */
let known: { readonly phone: string; readonly driver: ReturnType<typeof serviceForDriver> } | undefined;

/** Whether the driver with this phone number is signed in on this page. */
export function isDriverSignedIn(phone: string): boolean {
  return known?.phone === phone;
}

/** Signs in the sandbox's driver. The sandbox answers the code, so nobody types it. */
export async function signDriverIn(phone: string): Promise<void> {
  const { challengeId, sandboxOtp: otp } = await service.sandbox.startDriverSession.mutate({ phone });
  const { driverToken } = await service.sandbox.verifyDriverSession.mutate({ challengeId, otp });
  known = { phone, driver: serviceForDriver({ driverToken }) };
}

/** Drops the session, because a reset of the sandbox ends it. */
export function forgetDriver(): void {
  known = undefined;
}

/**
 * Runs an action as the driver. If the driver's session has ended, this signs the driver in again. Otherwise the page
 * would take the error for the end of the person's own session.
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

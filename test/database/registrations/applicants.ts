import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import type { Registration, RegistrationRequest } from '../../../src/contract/registration.ts';
import type { Result } from '../../../src/core/result.ts';
import { completeRegistration } from '../../../src/domain/registrations/completion.ts';
import { register } from '../../../src/domain/registrations/registration.ts';
import { type Desk, newcomer } from './desk.ts';

export const HOUR = 3600;

let addresses = 0;
/** A network address without earlier requests. */
export function newAddress(): string {
  addresses += 1;
  return `192.0.2.${addresses}`;
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`Refused: ${result.code}`);
  return result.value;
}

/** The steps of merchants during onboarding, on a desk that is created on first use. */
export function applicantsAt(desk: () => Desk) {
  return {
    async begin(changes: Partial<RegistrationRequest> = {}, address = newAddress()) {
      const request = newcomer(changes);
      const draft: Registration = valueOf(await register(desk().services, request, address)).registration;
      const code = desk().sent.findLast(({ recipient }) => recipient === `+966${request.mobileNumber}`)?.code ?? '';
      return { request, draft, code, id: requireUuid(draft.registrationId) };
    },
    async addDocuments(id: string, types = ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION']) {
      for (const type of types)
        await desk().sql(
          'directory',
          `insert into registration_documents values (?, ?, ?, '0', 12, 'application/pdf', 'scan.pdf', 0, 1)`,
          [id, type, `key/${id}/${type}`],
        );
    },
    complete: (id: string, otp: string) =>
      completeRegistration(desk().services, {
        registrationId: requireUuid(id),
        otp,
        address: null,
        requestId: newId(),
      }),
  };
}

import { describe, expect, it } from 'vitest';
import { addCompany, nowMicros } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { requireUuid } from '../../scripts/shared/seed-values.ts';
import { addMicros, instantFromMillis } from '../../src/core/instant.ts';
import { knownPhonesOf } from '../../src/domain/challenges/limit.ts';
import { recipientsForgotten } from '../../src/domain/shipments/forget-store.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();

/** A company with one member, who asks for known recipients. */
async function newShop() {
  const company = await addCompany(environment);
  const merchant = await merchantOf(environment, company);
  const member = await addPerson(environment, company, 'MEMBER');
  const call = trpcClient(environment, await addSession(environment, member));
  return { company, merchant, member, find: (phone: string) => call.recipients.findKnown.mutate({ phone }) };
}

const place = { addressLine: 'King Fahd Road 12', cityCode: 'RUH', latitude: 24.71, longitude: 46.67 };
const noura = { recipient: { name: 'نورة القحطاني', phone: '+966501234567' }, destination: place };

describe('known recipients', () => {
  it('are found by any spelling of their whole mobile, the newest first and each once', async () => {
    const { merchant, find } = await newShop();
    await merchant.create(noura);
    await merchant.create({ ...noura, destination: { ...place, addressLine: 'Olaya Street 5' } });
    await merchant.create({ ...noura, recipient: { ...noura.recipient, name: 'نوره القحطاني' } });
    const found = await find('0501234567');
    expect(found.map(({ destination }) => destination.addressLine)).toEqual(['King Fahd Road 12', 'Olaya Street 5']);
    expect(found[1]).toEqual({
      name: 'نورة القحطاني',
      destination: { addressLine: 'Olaya Street 5', cityCode: 'RUH', latitude: '24.71', longitude: '46.67' },
    });
    expect(await find('+966501234567')).toEqual(found);
    // An order that was cancelled may have had the wrong address.
    const { shipmentId } = await merchant.create({
      ...noura,
      destination: { ...place, addressLine: 'Typing error 1' },
    });
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    expect(await find('0501234567')).toEqual(found);
    // The last four digits are all that a masked phone shows.
    expect(await find('0551234567')).toEqual([]);
    expect(await problemOfCall(find('4567'))).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('are those of the company alone, and not those whose data was deleted', async () => {
    const [{ company, merchant, find }, stranger] = [await newShop(), await newShop()];
    const { shipmentId } = await merchant.createApproved(noura);
    expect(await stranger.find('0501234567')).toEqual([]);
    expect(await find('0501234567')).toHaveLength(1);
    const now = addMicros(instantFromMillis(0), nowMicros());
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
    for (const { sql, args } of recipientsForgotten([requireUuid(shipmentId)], now))
      await environment.sql(company.shard, sql, args.map(String));
    expect(await find('0501234567')).toEqual([]);
  });

  it.each([
    ['somebody who tries', 0, 499],
    ['a company whose people try', 1, 1999],
  ])('are refused to %s thousands of phones', async (_who, index, usesBefore) => {
    const { company, find, member } = await newShop();
    const { credentialKey } = environment;
    const limits = await knownPhonesOf({ credentialKey }, requireUuid(company.companyId), `person ${member.personId}`);
    expect(await find('0501234567')).toEqual([]);
    const uses = `with recursive many (n) as (select 1 union all select n + 1 from many where n < ${usesBefore})
      insert into security_uses select ?, ? from many`;
    await environment.sql('directory', uses, [limits[index]?.bucket ?? '', nowMicros()]);
    expect(await problemOfCall(find('0501234567'))).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  });
});

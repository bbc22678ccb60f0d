import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Message } from '../../../src/ports/message.ts';
import { resendEmail, unifonicSms } from '../../../src/providers/messages/carriers.ts';
import { carriedMessages } from '../../../src/providers/messages/choose-messages.ts';
import { textOf } from '../../../src/providers/messages/words.ts';
import { BAD_ANSWERS, type ProviderServer, platform, SHORT, startProvider } from '../../support/provider-server.ts';

/* The adapters of the carriers, against a server that answers correctly, wrongly, late or never. */

let provider: ProviderServer;
beforeEach(async () => {
  provider = await startProvider();
});
afterEach(() => provider.stop());

const BASE_URL = 'https://deliveries.mirsal.example:8443';
const SMS: Message = { channel: 'SMS', recipient: '+966512345678', purpose: 'SIGN_IN', code: '493017' };
const EMAIL: Message = { channel: 'EMAIL', recipient: 'a@example.com', purpose: 'ALREADY_REGISTERED', code: null };
const sms = (limits?: typeof SHORT) =>
  unifonicSms({ appSid: 'sid', senderId: 'Mirsal', url: provider.url, baseUrl: BASE_URL }, platform, limits);
const email = (limits?: typeof SHORT) =>
  resendEmail(
    { apiKey: 're_key', from: 'Mirsal <codes@mirsal.example>', url: provider.url, baseUrl: BASE_URL },
    platform,
    limits,
  );

describe('SMS by Unifonic', () => {
  it('sends a form with the secret in its body, the recipient in digits and the text in both languages', async () => {
    provider.answer = (response) => response.end('{"success":"true","data":{"MessageID":1}}');
    expect(await sms().send(SMS)).toBe(true);
    const [asked] = provider.asked;
    expect([asked?.method, asked?.path]).toEqual(['POST', '/']);
    const form = new URLSearchParams(asked?.body.toString());
    expect(Object.fromEntries(form)).toEqual({
      AppSid: 'sid',
      SenderID: 'Mirsal',
      Recipient: '966512345678',
      Body: [
        'رمز التحقق لتسجيل الدخول: 493017',
        'Your sign-in code: 493017',
        'صالح لمدة 5 دقائق. لا تشاركه مع أحد.',
        'Valid for 5 minutes. Do not share it with anyone.',
        '@deliveries.mirsal.example #493017',
      ].join('\n'),
      responseType: 'JSON',
    });
  });

  test.each([
    ['a refusal in a 200', '{"success":false,"errorCode":"ER-482"}'],
    ['a response in HTML', '<html>'],
    ['an empty response', ''],
    ['a truncated response', '{"success":tr'],
    ['an oversized response', `{"success":true,"x":"${'x'.repeat(100_000)}"}`],
  ])('fails for %s', async (_kind, text) => {
    provider.answer = (response) => response.end(text);
    expect(await sms().send(SMS)).toBe(false);
  });

  test.each(BAD_ANSWERS)('fails for %s, and does not retry', async (_kind, answer) => {
    provider.answer = answer;
    expect(await sms(SHORT).send(SMS)).toBe(false);
    expect(provider.asked).toHaveLength(1);
  });
});

describe('e-mail by Resend', () => {
  it('sends JSON with the key in its header', async () => {
    provider.answer = (response) => response.end('{"id":"1"}');
    expect(await email().send(EMAIL)).toBe(true);
    const [asked] = provider.asked;
    expect(asked?.headers.authorization).toBe('Bearer re_key');
    expect(JSON.parse(asked?.body.toString() ?? '')).toEqual({
      from: 'Mirsal <codes@mirsal.example>',
      to: ['a@example.com'],
      subject: 'Mirsal — مرسال',
      text: expect.stringContaining('sign in instead'),
    });
  });

  test.each(BAD_ANSWERS)('fails for %s, and does not retry', async (_kind, answer) => {
    provider.answer = answer;
    expect(await email(SHORT).send(EMAIL)).toBe(false);
    expect(provider.asked).toHaveLength(1);
  });
});

describe('the text of a code', () => {
  const purposes = ['SIGN_IN', 'DRIVER_SIGN_IN', 'ELEVATION', 'REGISTRATION', 'INVITATION_ACCEPTANCE'] as const;
  it.each(purposes)('ends with the host and the code in an SMS alone: %s', (purpose) => {
    const lines = (channel: 'SMS' | 'EMAIL') =>
      textOf({ channel, recipient: '+966512345678', purpose, code: '004217', companyName: 'X' }, BASE_URL).split('\n');
    expect(lines('SMS').at(-1)).toBe('@deliveries.mirsal.example #004217');
    expect(lines('EMAIL').at(-1)).toBe('Valid for 5 minutes. Do not share it with anyone.');
    expect(lines('SMS').slice(0, -1)).toEqual(lines('EMAIL'));
  });

  it('of an acceptance without a company names the operators of Mirsal', () => {
    const invitation = { ...EMAIL, purpose: 'INVITATION_ACCEPTANCE', code: '004217' } as const;
    expect(textOf({ ...invitation, companyName: 'Tihama Spices' }, BASE_URL)).toContain('from “Tihama Spices”');
    expect(textOf(invitation, BASE_URL)).toMatch(
      /^رمز التحقق لتصبح مشغّلًا.*\nYour code to become an operator of Mirsal: 004217$/m,
    );
  });

  it('has no such line in a message without a code', () => {
    expect(textOf({ ...SMS, purpose: 'IDENTIFIER_TAKEN', code: null }, BASE_URL)).not.toContain('@');
  });
});

describe('the message to the phone that a delivery no longer has', () => {
  it('names the shop and the end of the number, has no link and speaks of no money', () => {
    const changed = { ...SMS, purpose: 'RECIPIENT_PHONE_CHANGED', code: null } as const;
    const text = textOf({ ...changed, companyName: 'Tihama Spices', shipmentEnd: 'K7Q2' }, BASE_URL);
    expect(text).toBe(
      [
        'غيّر متجر «Tihama Spices» رقم جوال المستلم في شحنة كانت مسجّلة على هذا الرقم، وينتهي رقمها بـ K7Q2. إذا لم تطلب ذلك فتواصل مع المتجر.',
        '“Tihama Spices” changed the mobile number of the delivery ending in K7Q2, which had this number. If you did not ask for that, contact the shop.',
      ].join('\n'),
    );
  });
});

describe('carriers', () => {
  it('send their own channel, and a channel without a carrier fails', async () => {
    provider.answer = (response) => response.end('{"success":true}');
    const both = carriedMessages({ sms: { appSid: 's', url: provider.url }, baseUrl: BASE_URL }, platform);
    expect([await both.send(SMS), await both.send(EMAIL)]).toEqual([true, false]);
    expect(both.provider).toBe('carriers');
  });

  it('that refuse some messages still get others', async () => {
    provider.answer = (response) => response.writeHead(422).end('{}');
    const [mail, text] = [email(), sms()];
    for (let time = 0; time < 10; time += 1) expect(await mail.send(EMAIL)).toBe(false);
    provider.answer = (response) => response.end('{"success":false,"errorCode":"ER-06"}');
    for (let time = 0; time < 10; time += 1) expect(await text.send(SMS)).toBe(false);
    provider.answer = (response) => response.end('{"success":true}');
    expect([await mail.send(EMAIL), await text.send(SMS)]).toEqual([true, true]);
  });

  it('are not called after repeated failures', async () => {
    provider.answer = (response) => response.writeHead(500).end();
    const carrier = sms();
    for (let time = 0; time < 10; time += 1) expect(await carrier.send(SMS)).toBe(false);
    expect(provider.asked).toHaveLength(5);
    expect(carrier.isDown()).toBe(true);
  });
});

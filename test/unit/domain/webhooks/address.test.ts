import { describe, expect, it } from 'vitest';
import { checkAddress } from '../../../../src/domain/webhooks/address.ts';
import { isPublicAddress } from '../../../../src/domain/webhooks/public-address.ts';

const rulesOf = (deployment: 'local' | 'sandbox' | 'production') => ({
  deployment,
  baseUrl: 'https://api.mirsal.example',
});
const faultIn = (deployment: 'local' | 'production', url: string) => {
  const checked = checkAddress(url, rulesOf(deployment));
  return checked.ok ? undefined : checked.fault;
};

describe('the URL of an endpoint', () => {
  it.each([
    'https://hooks.example.com/mirsal',
    'https://hooks.example.com:8443/a?b=c',
    'https://hooks.example.com:443/',
    'HTTPS://Hooks.Example.COM',
    'https://متجر.example/أحداث',
    'https://hooks.example.com/%D8%A3%D8%AD',
    'https://hooks.example.com/caf%E9?a=%25',
    'https://mirsal.example/not-the-api',
    'https://api.mirsal.example.com/',
    'https://1.example.com/',
  ])('may be %s', (url) => {
    for (const deployment of ['local', 'production'] as const) expect(faultIn(deployment, url)).toBeUndefined();
  });

  it.each([
    ['', 'NOT_A_URL'],
    ['hooks.example.com', 'NOT_A_URL'],
    ['https://', 'NOT_A_URL'],
    ['https://exa mple.com', 'NOT_A_URL'],
    [' https://example.com', 'NOT_A_URL'],
    ['https://exam\tple.com', 'NOT_A_URL'],
    ['https://exam\nple.com', 'NOT_A_URL'],
    ['https://example.com:99999', 'NOT_A_URL'],
    ['https://256.1.1.1', 'NOT_A_URL'],
    ['http://hooks.example.com', 'SCHEME'],
    ['ftp://hooks.example.com', 'SCHEME'],
    ['file:///etc/passwd', 'SCHEME'],
    ['javascript:alert(1)', 'SCHEME'],
    ['gopher://hooks.example.com', 'SCHEME'],
    ['data:text/plain,x', 'SCHEME'],
    ['https://user@hooks.example.com', 'CREDENTIALS'],
    ['https://user:word@hooks.example.com', 'CREDENTIALS'],
    ['https://:word@hooks.example.com', 'CREDENTIALS'],
    ['https://example.com@10.0.0.1/', 'IP_ADDRESS'],
    ['https://10.0.0.1', 'IP_ADDRESS'],
    ['https://8.8.8.8', 'IP_ADDRESS'],
    ['https://127.0.0.1', 'IP_ADDRESS'],
    ['https://127.1', 'IP_ADDRESS'],
    ['https://127.0.0.1.', 'IP_ADDRESS'],
    ['https://2130706433', 'IP_ADDRESS'],
    ['https://0x7f000001', 'IP_ADDRESS'],
    ['https://0x7f.1', 'IP_ADDRESS'],
    ['https://0177.0.0.1', 'IP_ADDRESS'],
    ['https://017700000001', 'IP_ADDRESS'],
    ['https://0', 'IP_ADDRESS'],
    ['https://0.0.0.0', 'IP_ADDRESS'],
    ['https://169.254.169.254/latest/meta-data', 'IP_ADDRESS'],
    ['https://①②⑦.0.0.1', 'IP_ADDRESS'],
    ['https://127。0。0。1', 'IP_ADDRESS'],
    ['https://[::1]', 'IP_ADDRESS'],
    ['https://[::]', 'IP_ADDRESS'],
    ['https://[::ffff:127.0.0.1]', 'IP_ADDRESS'],
    ['https://[::ffff:7f00:1]', 'IP_ADDRESS'],
    ['https://[fd00::1]', 'IP_ADDRESS'],
    ['https://[fe80::1]', 'IP_ADDRESS'],
    ['https://[2606:4700::1]', 'IP_ADDRESS'],
    ['https://localhost', 'HOST'],
    ['https://LOCALHOST.', 'HOST'],
    ['https://app.localhost', 'HOST'],
    ['https://printer.local', 'HOST'],
    ['https://metadata.google.internal', 'HOST'],
    ['https://router.home.arpa', 'HOST'],
    ['https://intranet', 'HOST'],
    ['https://abc.onion', 'HOST'],
    ['https://api.mirsal.example/hook', 'OWN_ADDRESS'],
    ['https://api.mirsal.example./hook', 'OWN_ADDRESS'],
    ['https://x.API.mirsal.example', 'OWN_ADDRESS'],
    ['https://hooks.example.com:22', 'PORT'],
    ['https://hooks.example.com:25', 'PORT'],
    ['https://hooks.example.com:80', 'PORT'],
    ['https://hooks.example.com:0', 'PORT'],
    ['https://hooks.example.com:1023', 'PORT'],
    // Characters that resolvers may treat as a dot or ignore.
    ['https://localhost../', 'HOST'],
    ['https://127.0.0.1../', 'HOST'],
    ['https://api.mirsal.example../', 'HOST'],
    ['https://.hooks.example.com', 'HOST'],
    ['https://hooks..example.com', 'HOST'],
    ['https://foo。local', 'HOST'],
    ['https://foo．internal', 'HOST'],
    ['https://foo｡localhost', 'HOST'],
    ['https://foo%2elocal', 'HOST'],
    ['https://%6c%6f%63alhost', 'HOST'],
    ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'HOST'],
    ['https://lo\u00adcal\u200bhost', 'HOST'],
    ['https://app.localdomain', 'HOST'],
    ['https://api.default.svc', 'HOST'],
    ['https://api.default.svc.cluster.local', 'HOST'],
    ['https://host.docker.internal', 'HOST'],
    ['https://1.0.0.127.in-addr.arpa', 'HOST'],
    ['https://127%2e0%2e0%2e1', 'IP_ADDRESS'],
    ['https://169.254.169.254.', 'IP_ADDRESS'],
    ['https://2852039166', 'IP_ADDRESS'],
    ['https://0xA9FEA9FE', 'IP_ADDRESS'],
    ['https://0251.0376.0251.0376', 'IP_ADDRESS'],
    ['https://0x', 'IP_ADDRESS'],
    ['https:10.0.0.1', 'IP_ADDRESS'],
    ['https:\\\\10.0.0.1', 'IP_ADDRESS'],
    ['https://hooks.example.com:443@10.0.0.1', 'IP_ADDRESS'],
    ['https://a@hooks.example.com@10.0.0.1', 'IP_ADDRESS'],
    ['https://[::127.0.0.1]', 'IP_ADDRESS'],
    ['https://[64:ff9b::7f00:1]', 'IP_ADDRESS'],
    ['https://[64:ff9b:1::7f00:1]', 'IP_ADDRESS'],
    ['https://[2002:7f00:1::]', 'IP_ADDRESS'],
    ['https://[2001:0:7f00:1::]', 'IP_ADDRESS'],
    ['https://[fe80::1%25eth0]', 'NOT_A_URL'],
    ['https://[fe80::1%eth0]', 'NOT_A_URL'],
    ['https://localhost%00.example.com', 'NOT_A_URL'],
    ['https://hooks.example.com%0d%0aHost:x', 'NOT_A_URL'],
    ['https://08.8.8.8', 'NOT_A_URL'],
    ['https://hooks.example.com/a#b', 'FRAGMENT'],
    ['https://hooks.example.com/a#', 'FRAGMENT'],
    ['https://hooks.example.com/100%', 'ENCODING'],
    ['https://hooks.example.com/%zz', 'ENCODING'],
    ['https://hooks.example.com/?a=%4', 'ENCODING'],
    ['https://hooks.example.com/\u200fطلبات', 'DIRECTION_MARK'],
    ['https://hooks.example.com/in\u200e', 'DIRECTION_MARK'],
    ['https://hooks.example.com/?a=\u202b1\u202c', 'DIRECTION_MARK'],
    ['https://hooks.example.com/\u2066in\u2069', 'DIRECTION_MARK'],
    ['https://hooks.example.com/\u061cin', 'DIRECTION_MARK'],
    ['https://hooks.example.com/in%E2%80%8f', 'DIRECTION_MARK'],
    // 2048 characters, and more when they are encoded.
    [`https://hooks.example.com/${'ش'.repeat(2022)}`, 'LENGTH'],
    ['blob:https://hooks.example.com/1', 'SCHEME'],
    ['wss://hooks.example.com', 'SCHEME'],
  ])('may not be %j: %s', (url, fault) => {
    for (const deployment of ['local', 'production'] as const) expect(faultIn(deployment, url)).toBe(fault);
  });

  it.each([
    'http://127.0.0.1:9000/hook',
    'http://localhost:9000',
    'http://[::1]:9000',
    'http://127.1:80',
    'http://2130706433',
  ])('may be %s only in a local deployment', (url) => {
    expect(checkAddress(url, rulesOf('local'))).toMatchObject({ ok: true, isLoopback: true });
    for (const deployment of ['sandbox', 'production'] as const) {
      expect(checkAddress(url, rulesOf(deployment))).toEqual({ ok: false, fault: 'SCHEME' });
    }
  });

  it.each([
    ['http://user@127.0.0.1:9000', 'CREDENTIALS'],
    ['http://10.0.0.1', 'SCHEME'],
    ['http://127.0.0.1.example.com', 'SCHEME'],
    ['http://0.0.0.0', 'SCHEME'],
    ['http://[::ffff:127.0.0.1]', 'SCHEME'],
  ])('may not be %s, even in a local deployment', (url, fault) => {
    expect(faultIn('local', url)).toBe(fault);
  });
});

describe('the address that a name resolves to', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '223.255.255.255',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2400:cb00::', '::ffff:8.8.8.8', '::ffff:808:808'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each([
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2001:10::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '1.2.3.4 ',
    'fe80::1%eth0',
    ':::',
    '[::1]',
    '0x7f000001',
  ])('%j is not an address', (address) => expect(isPublicAddress(address)).toBe(false));
});

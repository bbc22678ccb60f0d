import { expect, it } from 'vitest';
import { addressBehind, networkOf, siteOf } from '../../../src/core/network-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  // Zeros between what stands before and after them.
  ['1::2:3:4:5:6', '1:0:0:2'],
  ['unknown', 'unknown'],
  ['', ''],
  // No addresses, so nothing of them may be cut off.
  ['x::ffff:203.0.113.7', 'x::ffff:203.0.113.7'],
  ['::ffff:203.0.113.7.8', '::ffff:203.0.113.7.8'],
  ['x:1:2:3:4:5', 'x:1:2:3:4:5'],
  ['1:2:3:4:5 x', '1:2:3:4:5 x'],
  ['00ab', '00ab'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0'],
  ['203.0.113.7', undefined],
  ['::ffff:203.0.113.7', undefined],
  ['unknown', undefined],
  ['x:1:2:3', undefined],
])('%s belongs to the site %s', (address, site) => {
  expect(siteOf(address)).toBe(site);
});

it.each([
  [0, '203.0.113.7', 'peer'],
  [0, null, 'peer'],
  [1, '203.0.113.7', '203.0.113.7'],
  [1, 'a lie, 203.0.113.7', '203.0.113.7'],
  [1, '203.0.113.7,', 'peer'],
  [2, '198.51.100.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
  [2, '203.0.113.7', 'peer'],
  [1, null, 'peer'],
  [1, '203.0.113.7:4711', '203.0.113.7'],
  [1, '[2001:db8::1]:4711', '2001:db8::1'],
  [1, '[2001:db8::1]', '2001:db8::1'],
  [1, 'x203.0.113.7:4711', 'x203.0.113.7:4711'],
  [1, '203.0.113.7:4711x', '203.0.113.7:4711x'],
  [1, 'x[2001:db8::1]:4711', 'x[2001:db8::1]:4711'],
  [1, '[2001:db8::1]:4711x', '[2001:db8::1]:4711x'],
  [1, '2001:db8::1', '2001:db8::1'],
])('behind %i proxies, %j is the client %s', (proxies, forwardedFor, address) => {
  expect(addressBehind({ peer: 'peer', forwardedFor, proxies })).toBe(address);
});

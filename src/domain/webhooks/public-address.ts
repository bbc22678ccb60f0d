/**
 * Blocks that are not part of the public Internet (IANA special-purpose registries), as first address and prefix
 * length.
 */
const INNER_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/**
 * Blocks inside 2000::/3, the only allocated range of IPv6, that are not public: tunnels that carry other addresses,
 * and examples.
 */
const INNER_V6: readonly (readonly [bigint, number])[] = [
  [0x2001_0000n << 96n, 23],
  [0x2001_0db8n << 96n, 32],
  [0x2002n << 112n, 16],
  [0x3fffn << 112n, 20],
];

/** Whether a resolved address is on the public Internet. False for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const v4 = parseV4(address);
  if (v4 !== undefined) return !INNER_V4.some(([first, length]) => isWithin(v4, parseV4(first) ?? 0n, 32 - length));
  const v6 = parseV6(address);
  if (v6 === undefined) return false;
  // ::ffff:0:0/96 contains IPv4 addresses.
  if (v6 >> 32n === 0xffffn) return isPublicAddress(v4Text(v6));
  return v6 >> 125n === 1n && !INNER_V6.some(([first, length]) => isWithin(v6, first, 128 - length));
}

function isWithin(address: bigint, first: bigint, bits: number): boolean {
  return address >> BigInt(bits) === first >> BigInt(bits);
}

function parseV4(text: string): bigint | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function v4Text(v6: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((v6 >> shift) & 0xffn)).join('.');
}

/** The URL parser accepts every spelling of an IPv6 address and writes the one of RFC 5952. */
function parseV6(text: string): bigint | undefined {
  const spelling = `http://[${text}]/`;
  if (!/^[0-9a-fA-F:.]+$/.test(text) || !URL.canParse(spelling)) return undefined;
  const [head = '', tail] = new URL(spelling).hostname.slice(1, -1).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => BigInt(`0x${group}`)));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros: bigint[] = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

import type { Account } from './service.ts';

/** A request, made so that a careless reader works longest. */
export interface Hostile {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `unit` over and over, up to this length. */
export const repeated = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));

/** A creation has 741 at most, and a thousand more are read. */
const CREATION_VALUES = 1700;
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** Room for what is around a value. */
const AROUND = 400;

/** Where a hostile value is sent. */
interface Target {
  readonly what: string;
  readonly path: string;
  readonly bytesMax: number;
  /** How many members and entries it takes. */
  readonly valuesMax?: number;
  /** How often the value is in the body, and the body around that many. */
  readonly count: number;
  readonly wrap: (values: readonly string[]) => string;
}

const inShipment = (value: string) => `{"externalReference":"a","items":${value}}`;
const inBatch = (shipments: readonly string[]) => {
  const items = shipments.map((value, at) => `{"key":"a-key-of-a-batch-${at}","shipment":${inShipment(value)}}`);
  return `{"mode":"VALIDATE","onInvalid":"STOP","items":[${items.join(',')}]}`;
};
const calls = (inputs: readonly string[]) => `{${inputs.map((input, at) => `"${at}":${input}`).join(',')}}`;
const BATCHES = '/v2/external/shipment-batches';

/** 500 shipments with nine items each. A larger batch takes longer, as a valid one does. */
const BATCH_VALUES = 30_000;

const TARGETS: readonly Target[] = [
  {
    what: 'creation',
    path: '/v2/external/shipments',
    bytesMax: 256 * KIBIBYTE,
    valuesMax: CREATION_VALUES,
    count: 1,
    wrap: ([value = '']) => inShipment(value),
  },
  {
    what: 'validation',
    path: '/v2/external/shipment-validations',
    bytesMax: 256 * KIBIBYTE,
    valuesMax: CREATION_VALUES,
    count: 1,
    wrap: ([value = '']) => inShipment(value),
  },
  { what: 'batch, 500 times', path: BATCHES, bytesMax: 4 * MEBIBYTE, count: 500, wrap: inBatch },
  {
    what: 'batch, beside its items',
    path: BATCHES,
    bytesMax: 4 * MEBIBYTE,
    count: 1,
    wrap: ([value = '']) => `{"items":[],"more":${value}}`,
  },
  {
    what: 'tRPC creation',
    path: '/trpc/shipments.create',
    bytesMax: 256 * KIBIBYTE,
    valuesMax: CREATION_VALUES,
    count: 1,
    wrap: ([value = '']) => inShipment(value),
  },
  {
    what: 'ten tRPC creations',
    path: `/trpc/${Array(10).fill('shipments.create').join(',')}?batch=1`,
    bytesMax: 512 * KIBIBYTE,
    valuesMax: 10 * (CREATION_VALUES - 1000),
    count: 10,
    wrap: (values) => calls(values.map(inShipment)),
  },
  {
    what: 'tRPC batch, 500 times',
    path: '/trpc/shipmentBatches.create',
    bytesMax: 4 * MEBIBYTE,
    count: 500,
    wrap: inBatch,
  },
  {
    what: 'two tRPC batches',
    path: '/trpc/shipmentBatches.create,shipmentBatches.create?batch=1',
    bytesMax: 8 * MEBIBYTE,
    count: 2,
    wrap: (values) => calls(values.map((value) => `{"items":[],"more":${value}}`)),
  },
];

type Make = (bytes: number, values: number) => string;

/** Of `open` and `close`, with units between that fill the bytes: as many as fit. */
const full =
  (open: string, unitOf: (at: number) => string, close: string): Make =>
  (bytes) => {
    const units: string[] = [];
    for (let at = 0, length = 0; ; at += 1) {
      const unit = unitOf(at);
      length += unit.length + 1;
      if (length > bytes - 2) return open + units.join(',') + close;
      units.push(unit);
    }
  };
/** The same with at most as many units as are taken, and spaces between them. `size` is how many values a unit has. */
const taken =
  (open: string, unitOf: (at: number) => string, close: string, size = 1): Make =>
  (bytes, values) => {
    const count = Math.max(1, Math.floor(Math.min(values / size, bytes / (unitOf(0).length + 8))));
    const length = Math.floor(bytes / count) - 1;
    return open + Array.from({ length: count }, (_, at) => unitOf(at).padEnd(length)).join(',') + close;
  };
const textOf =
  (unit: string): Make =>
  (bytes) =>
    `"${repeated(unit, bytes)}"`;
const nested = (open: string, inner: string, close: string, levels: number) =>
  open.repeat(levels) + inner + close.repeat(levels);
const item = () => '{"description":"a","quantity":1,"weightKilograms":1.5}';
let names = 0;
/** A member whose name no text had before, because engines remember names. */
const newMember = () => {
  names += 1;
  return `"u${names.toString(36)}":1`;
};

/** JSON of about this many bytes, by what it is made of. */
const VALUES: Readonly<Record<string, Make>> = {
  'unknown members': full('{', newMember, '}'),
  'unknown members within the limit': taken('{', newMember, '}'),
  'one member again and again': taken('{', () => '"u":1', '}'),
  'members that are numbers': taken('{', (at) => `"${at * 4099}":1`, '}'),
  'members named __proto__': taken('{', () => '"__proto__":{}', '}', 2),
  'long names': full('{', (at) => `"${'n'.repeat(500)}${at}":1`, '}'),
  'escaped names': taken('{', (at) => String.raw`"\u0061${at}":1`, '}'),
  'objects of unknown members': taken('[', () => `{${Array.from({ length: 10 }, newMember).join(',')}}`, ']', 11),
  'empty objects': full('[', () => '{}', ']'),
  'empty objects within the limit': taken('[', () => '{}', ']', 2),
  'lists in lists': taken('[', () => nested('[', '1', ']', 55), ']', 56),
  'objects in objects': taken('[', () => nested('{"a":', '1', '}', 55), ']', 56),
  '12,000 levels of lists': (bytes) => nested('[', '1', ']', Math.min(12_000, Math.floor(bytes / 2) - 1)),
  '12,000 levels of objects': (bytes) => nested('{"a":', '1', '}', Math.min(12_000, Math.floor(bytes / 6) - 1)),
  'one digit': full('[', () => '1', ']'),
  'numbers of 17 digits': taken('[', () => '12345678.901234567', ']'),
  exponents: taken('[', () => '1e5', ']'),
  'one long number': (bytes) => repeated('1', bytes),
  'items of a shipment': taken('[', item, ']', 4),
  'one long text': textOf('a'),
  'a text of quotes': textOf(String.raw`\"`),
  'a text of backslashes': textOf(String.raw`\\`),
  'a text of escapes': textOf(String.raw`\u0001`),
  'an Arabic text': (bytes, values) => textOf('ش')(bytes / 2, values),
  spaces: (bytes) => `${repeated(' ', bytes)}1`,
};

/** What targets have of values around the hostile one. */
const VALUES_AROUND = 5;

/** 200 bodies: every value in every target, each as long as its target takes. */
export function hostileBodies({ token }: Account): Hostile[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return TARGETS.flatMap(({ what: target, path, bytesMax, valuesMax = BATCH_VALUES, count, wrap }) =>
    Object.entries(VALUES).map(([value, make]): Hostile => {
      const around = wrap(Array<string>(count).fill('')).length + AROUND;
      const [bytes, values] = [(bytesMax - around) / count, valuesMax / count - VALUES_AROUND];
      const body = wrap(Array.from({ length: count }, () => make(Math.floor(bytes), Math.floor(values))));
      const keyed = { ...headers, 'idempotency-key': `hostile-body-${crypto.randomUUID()}` };
      return { what: `${target}: ${value}`, method: 'POST', path, headers: keyed, body };
    }),
  );
}

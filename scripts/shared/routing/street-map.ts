/*
 * Writes a map of a few streets in the format that routing engines build from: OpenStreetMap PBF
 * (wiki.openstreetmap.org/wiki/PBF_Format), which is protocol buffers in length-prefixed blocks, here uncompressed.
 */

export interface Street {
  readonly name: string;
  /** [latitude, longitude]; streets meet at shared points. */
  readonly points: readonly (readonly [latitude: number, longitude: number])[];
  readonly tags: Readonly<Record<string, string>>;
}

export function writeStreetMap(streets: readonly Street[]): Uint8Array {
  const header = [...textField(4, 'OsmSchema-V0.6'), ...textField(4, 'DenseNodes')];
  return Uint8Array.from([...block('OSMHeader', header), ...block('OSMData', primitiveBlock(streets))]);
}

/** Streets in a grid from south-west to north-east, one each hundredth of a degree, which is about a kilometre. */
export function streetGrid(southWest: readonly [number, number], northEast: readonly [number, number]): Street[] {
  const latitudes = hundredths(southWest[0], northEast[0]);
  const longitudes = hundredths(southWest[1], northEast[1]);
  const tags = { highway: 'primary', maxspeed: '60' };
  const across = latitudes.map((latitude) => longitudes.map((longitude) => [latitude, longitude] as const));
  const along = longitudes.map((longitude) => latitudes.map((latitude) => [latitude, longitude] as const));
  return [...across, ...along].map((points, index) => ({ name: `Street ${index + 1}`, points, tags }));
}

function hundredths(from: number, to: number): number[] {
  const [first, last] = [Math.round(from * 100), Math.round(to * 100)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) / 100);
}

/** Coordinates are in units of 100 billionths of a degree, which is the format's default. */
const UNITS_PER_DEGREE = 1e7;

function primitiveBlock(streets: readonly Street[]): number[] {
  // The first string must be empty: it means "no text".
  const texts = new Map([['', 0]]);
  const textIndex = (text: string): number => {
    const index = texts.get(text) ?? texts.size;
    texts.set(text, index);
    return index;
  };
  const nodes = new Map<string, { id: number; bytes: number[] }>();
  const ways: number[][] = [];
  for (const [index, { name, points, tags }] of streets.entries()) {
    const refs = points.map(([latitude, longitude]) => {
      const place = `${latitude},${longitude}`;
      const node = nodes.get(place) ?? nodeAt(nodes.size + 1, latitude, longitude);
      nodes.set(place, node);
      return node.id;
    });
    const allTags = Object.entries({ ...tags, name });
    ways.push([
      ...varintField(1, index + 1),
      ...packedField(
        2,
        allTags.flatMap(([key]) => varint(textIndex(key))),
      ),
      ...packedField(
        3,
        allTags.flatMap(([, value]) => varint(textIndex(value))),
      ),
      ...packedField(
        8,
        refs.flatMap((ref, at) => signedVarint(ref - (refs[at - 1] ?? 0))),
      ),
    ]);
  }
  const table = [...texts.keys()].flatMap((text) => textField(1, text));
  const nodeGroup = [...nodes.values()].flatMap(({ bytes }) => packedField(1, bytes));
  const wayGroup = ways.flatMap((way) => packedField(3, way));
  return [...packedField(1, table), ...packedField(2, nodeGroup), ...packedField(2, wayGroup)];
}

function nodeAt(id: number, latitude: number, longitude: number): { id: number; bytes: number[] } {
  const [north, east] = [latitude, longitude].map((degrees) => signedVarint(Math.round(degrees * UNITS_PER_DEGREE)));
  return {
    id,
    bytes: [
      ...varint(1 << 3),
      ...signedVarint(id),
      ...varint(8 << 3),
      ...(north ?? []),
      ...varint(9 << 3),
      ...(east ?? []),
    ],
  };
}

/** The length of the header in four bytes, the header with the type and length of the blob, and the blob. */
function block(type: string, content: readonly number[]): number[] {
  const blob = packedField(1, content);
  const header = [...textField(1, type), ...varintField(3, blob.length)];
  return [0, 0, header.length >> 8, header.length & 0xff, ...header, ...blob];
}

function varintField(field: number, value: number): number[] {
  return [...varint(field << 3), ...varint(value)];
}

function textField(field: number, text: string): number[] {
  return packedField(field, [...new TextEncoder().encode(text)]);
}

function packedField(field: number, bytes: readonly number[]): number[] {
  return [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
}

/** Zigzag encoding: the sign is the lowest bit. */
function signedVarint(value: number): number[] {
  return varint(value < 0 ? -2 * value - 1 : 2 * value);
}

/** Varint encoding: seven bits per byte, lowest first. Uses division, because coordinates exceed 32 bits. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

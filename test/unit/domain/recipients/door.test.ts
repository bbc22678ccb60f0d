import { expect, test } from 'vitest';
import { encodePolyline } from '../../../../src/core/polyline.ts';
import { sketchDoor } from '../../../../src/domain/recipients/door.ts';

const DOOR = { latitude: 24.7743, longitude: 46.6572 };
/** 0.001 degrees are 111.2 m to the north, and 101 m to the east at this latitude. */
const EAST = { latitude: 24.7743, longitude: 46.6582 };

test('the door is in the middle of its surroundings', () => {
  const { width, height, door, proposed, way, scale } = sketchDoor(DOOR, '');
  expect([door, proposed, way]).toEqual([{ x: width / 2, y: height / 2 }, null, []]);
  // 250 m to each edge but for the room for signs: 86 units.
  expect(scale).toEqual({ meters: 200, length: 68.8 });
});

test('a new place is east of the old one, and both are in the drawing', () => {
  const { door, proposed, bounds } = sketchDoor(DOOR, '', EAST);
  expect(proposed?.y).toBe(door.y);
  // 101 m at 0.344 units a metre.
  expect((proposed?.x ?? 0) - door.x).toBeCloseTo(34.7, 0);
  expect(bounds.west).toBeLessThan(DOOR.longitude);
  expect(bounds.east).toBeGreaterThan(EAST.longitude);
});

test('a place at the other end of the city is still in the drawing', () => {
  const far = { latitude: 24.9, longitude: 46.5 };
  const { proposed, door, width, height } = sketchDoor(DOOR, '', far);
  for (const { x, y } of [proposed ?? { x: -1, y: -1 }, door]) {
    expect(x > 0 && x < width && y > 0 && y < height, `${x} ${y}`).toBe(true);
  }
});

test('of the way only its end is drawn, from the edge', () => {
  const way = [
    { latitude: 24.7, longitude: 46.6 },
    { latitude: 24.76, longitude: 46.65 },
    { latitude: 24.7742, longitude: 46.657 },
    DOOR,
  ];
  const sketch = sketchDoor(DOOR, encodePolyline(way));
  expect(sketch.way).toHaveLength(3);
  expect(sketch.way.at(-1)).toEqual(sketch.door);
});

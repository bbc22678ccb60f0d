/** The points of an encoded polyline with six decimal places, as [latitude, longitude]. Throws if it is truncated. */
export function decodePolyline(text: string): [latitude: number, longitude: number][] {
  const points: [number, number][] = [];
  let at = 0;
  const readDifference = (): number => {
    let bits = 0;
    for (let shift = 0; ; shift += 5) {
      const group = text.charCodeAt(at) - 63;
      if (!(group >= 0 && group < 64)) throw new Error(`No polyline: ${text}`);
      at += 1;
      bits |= (group & 0x1f) << shift;
      if (group < 0x20) return (bits & 1) === 1 ? ~(bits >>> 1) : bits >>> 1;
    }
  };
  let latitude = 0;
  let longitude = 0;
  while (at < text.length) {
    latitude += readDifference();
    longitude += readDifference();
    points.push([latitude / 1e6, longitude / 1e6]);
  }
  return points;
}

/** The number of Unicode code points, which length limits use. A lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) length -= 1;
  }
  return length;
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

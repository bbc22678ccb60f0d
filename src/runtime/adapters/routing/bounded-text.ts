/**
 * The text of a body of at most `bytesMax` bytes, counted after decompression; undefined when there is more. Nothing
 * past the limit is read. Rejects when the connection breaks and when the bytes are no UTF-8.
 */
export async function readTextWithin(response: Response, bytesMax: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > bytesMax) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return undefined;
}

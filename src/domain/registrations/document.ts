const NAME_LENGTH_MAX = 120;
const NAMELESS = 'document';

/**
 * The name of a document for display. It reads percent-encoded or plain UTF-8, and removes folders, line breaks, control
 * characters and characters that change the text direction.
 */
export function displayNameOf(header: string): string {
  const line = decoded(header)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replaceAll(/\s+/g, ' ');
  const name = withoutEnds(line);
  return Array.from(name).slice(0, NAME_LENGTH_MAX).join('') || NAMELESS;
}

/** Without spaces and dots at its ends. A loop, because a pattern for the end is quadratic on long runs of them. */
function withoutEnds(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && ' .'.includes(line.charAt(start))) start += 1;
  while (end > start && ' .'.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

/** Runtimes decode headers as Latin-1, even if the client sent UTF-8. */
function decoded(header: string): string {
  const text = utf8Of(header) ?? header;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function utf8Of(latin: string): string | undefined {
  const codes = Array.from(latin, (character) => character.charCodeAt(0));
  if (codes.some((code) => code > 0xff)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(codes));
  } catch {
    return undefined;
  }
}

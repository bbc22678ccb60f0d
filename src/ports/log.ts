/** One log line. It must not contain a body, a token, a code, a phone number or a person's address. */
type Line = Readonly<Record<string, string | number | undefined>>;

/** Writes one JSON line to the log. Both runtimes collect what the console prints, so this port needs no adapter. */
export function logInfo(line: Line): void {
  console.log(JSON.stringify({ level: 'info', ...line }));
}

/** Like `logInfo`, for a line that an operator must read. */
export function logError(line: Line): void {
  console.error(JSON.stringify({ level: 'error', ...line }));
}

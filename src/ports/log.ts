/** One log line. It must not contain a body, a token, a code, a phone number or a person's address. */
type Line = Readonly<Record<string, string | number | undefined>>;

/** Writes one JSON line to the log. Both runtimes collect what the console prints, so this port needs no adapter. */
export function logInfo(line: Line): void {
  write(console.log, 'info', line);
}

/** Like `logInfo`, for a line that an operator must read. */
export function logError(line: Line): void {
  write(console.error, 'error', line);
}

/** On Deno the console throws if the disk is full or the terminal is closed. A lost line must not fail the request. */
function write(print: (text: string) => void, level: string, line: Line): void {
  try {
    print(JSON.stringify({ level, time: new Date().toISOString(), ...line }));
  } catch {
    // There is no other place to report it.
  }
}

const KEY = 'mirsal-device';

/** Names this browser to the service, the same at each sign-in. Where nothing can be kept, a new name each time. */
export function deviceReference(): string {
  try {
    const known = localStorage.getItem(KEY);
    if (known !== null) return known;
    const made = randomUuid();
    localStorage.setItem(KEY, made);
    return made;
  } catch {
    return randomUuid();
  }
}

function randomUuid(): string {
  return crypto.randomUUID();
}

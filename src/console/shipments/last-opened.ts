/** The shipment that was opened last: people who go back to the list are at its row again. */
let lastOpened: string | undefined;

export function setLastOpened(shipmentId: string): void {
  lastOpened = shipmentId;
}

/** Returns the id and forgets it. */
export function takeLastOpened(): string | undefined {
  const taken = lastOpened;
  lastOpened = undefined;
  return taken;
}

/** What a line for the driver needs of an address of the national registry. */
interface Building {
  readonly buildingNumber: string | null;
  readonly street: string | null;
  readonly district: string | null;
  readonly shortAddress: string;
}

/** A line for the driver, such as `2929 شارع العليا، حي الورود`. The short code if the registry knows nothing else. */
export function addressLineOf({ buildingNumber, street, district, shortAddress }: Building): string {
  const first = [buildingNumber, street].filter((text) => text !== null).join(' ');
  const line = [first, district].filter((text) => text !== null && text !== '').join('، ');
  return line === '' ? shortAddress : line;
}

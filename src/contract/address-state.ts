/** What a company requires of the National Address of a shipment: nothing, a warning, or an address before any offer to a driver. */
export const ADDRESS_POLICIES = ['OFF', 'ASK', 'REQUIRED'] as const;
export type AddressPolicy = (typeof ADDRESS_POLICIES)[number];

/**
 * How the policy applies to one shipment, from its creation on. Under REQUIRED the gate is OPEN or CLOSED; a shipment behind a
 * CLOSED gate is offered to nobody. After an operator's override it stays open, whatever the registry says.
 */
export const ADDRESS_GATES = ['OFF', 'ASK', 'OPEN', 'CLOSED', 'OVERRIDDEN'] as const;
export type AddressGate = (typeof ADDRESS_GATES)[number];

export const ADDRESS_STATUSES = ['MISSING', 'UNVERIFIED', 'VERIFIED', 'MISMATCH', 'NOT_FOUND'] as const;
export type AddressStatus = (typeof ADDRESS_STATUSES)[number];

/** Who gave the short code. */
export const ADDRESS_SOURCES = ['MERCHANT', 'RECIPIENT', 'OPERATOR'] as const;
export type AddressSource = (typeof ADDRESS_SOURCES)[number];

/** The policy of a shipment's company at its creation. */
export function policyOf(gate: AddressGate): AddressPolicy {
  return gate === 'OFF' || gate === 'ASK' ? gate : 'REQUIRED';
}

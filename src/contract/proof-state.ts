/** What a shipment can ask of its delivery. `PROOF_PIN` among its requirements asks for `PIN`, and so on. */
export const PROOF_KINDS = ['PIN', 'PHOTO', 'SIGNATURE'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** Requirements that every driver meets, so no service level and no driver has to list them. */
export const PROOF_REQUIREMENTS = PROOF_KINDS.map((kind) => `PROOF_${kind}` as const);

/** How much a record proves: all that was asked for, some of it, or nothing. */
export const EVIDENCES = ['COMPLETE', 'PARTIAL', 'NONE'] as const;
export type Evidence = (typeof EVIDENCES)[number];

/** What a shipment without requirements of its own asks for: nothing, a PIN if it is worth something, or always a PIN. */
export const PROOF_POLICIES = ['NONE', 'VALUABLE', 'ALWAYS'] as const;
export type ProofPolicy = (typeof PROOF_POLICIES)[number];

/** Whether a failure at the door is taken without evidence. */
export const ATTEMPT_POLICIES = ['FREE', 'EVIDENCE'] as const;
export type AttemptPolicy = (typeof ATTEMPT_POLICIES)[number];

/** What is missing when an action is refused. */
export const MISSING_PROOFS = [...PROOF_KINDS, 'ARRIVAL', 'WAIT'] as const;
export type MissingProof = (typeof MISSING_PROOFS)[number];

export const PROOF_MEDIA_PURPOSES = ['DELIVERY_PHOTO', 'SIGNATURE', 'ATTEMPT_PHOTO', 'DAMAGE_PHOTO'] as const;
export type ProofMediaPurpose = (typeof PROOF_MEDIA_PURPOSES)[number];

export const RECORD_KINDS = ['DELIVERY', 'ATTEMPT'] as const;

/** What became of the message with the PIN. `SEEN`: none was needed, because the recipient has seen it on the page. */
export const PIN_MESSAGES = ['SEEN', 'SENT', 'FAILED'] as const;
export type PinMessage = (typeof PIN_MESSAGES)[number];

/** Pictures of one shipment. */
export const PROOF_MEDIA_MAX = 10;

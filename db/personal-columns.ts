/*
 * Which columns hold personal data. Every text column is in one of four lists, by its name in SQL, and a test fails for a column
 * that is in none. Ids, amounts and columns of fixed words have types of their own and cannot hold such data.
 */

/**
 * - `recipient`: about the recipient of a shipment. Forgetting empties it, and the export of a person has it.
 * - `passing`: may repeat what is known of a recipient. The sweep deletes it within 30 days, and the erasure of a person at once.
 * - `account`: about a person of a merchant, an operator, a driver or a contact. Their own operations change and delete it.
 * - `other`: about nobody, or a text of the merchant's own that stays: docs/decisions/0038-forgotten-recipients.md.
 */
type PersonalClass = 'recipient' | 'passing' | 'account' | 'other';
type ColumnsOfTable = Partial<Readonly<Record<PersonalClass, readonly string[]>>>;

/** By table. A table without a text column is not listed. */
export type PersonalColumns = Readonly<Record<string, ColumnsOfTable>>;

export const SHARD_COLUMNS: PersonalColumns = {
  activity_days: { other: ['city_code'] },
  audit_entries: { account: ['address'], other: ['client_id', 'action', 'subject', 'detail'] },
  branches: { other: ['branch_code', 'name', 'name_ar', 'city_code'] },
  case_messages: { recipient: ['text'], other: ['pictures'] },
  // The evidence has no text that anybody wrote.
  cases: { other: ['number', 'answered_by', 'evidence', 'evidence_sha256'] },
  // A driver may write anything there.
  cod_collections: { recipient: ['reference'] },
  company_settings: { other: ['proof_terms'] },
  company_moves: { other: ['other_shard', 'forward_to'] },
  database_identity: { other: ['id'] },
  // Who signed, and where the driver was.
  delivery_proofs: { recipient: ['record'], other: ['sha256'] },
  driver_sessions: { other: ['token_hash'] },
  drivers: { account: ['phone', 'first_name', 'latitude', 'longitude'], other: ['capabilities', 'city_code'] },
  // `note` is the comment of a cancellation, which the merchant wrote.
  events: { passing: ['body'], other: ['reason_code', 'note'] },
  follow_ups: { other: ['returned'] },
  idempotency_records: {
    passing: ['response'],
    other: ['client_id', 'operation', 'key', 'fingerprint', 'etag', 'location'],
  },
  late_reports: { other: ['reason_code'] },
  media_assets: { other: ['external_reference', 'object_key', 'sha256'] },
  media_lists: { other: ['external_reference', 'listed'] },
  national_addresses: { recipient: ['short_address', 'found'] },
  offers: { recipient: ['door_arrival'], account: ['pickup_arrival'] },
  pickup_locations: {
    account: ['contact_name', 'contact_phone'],
    other: [
      'pickup_location_code',
      'branch_code',
      'name',
      'name_ar',
      'address_line',
      'city_code',
      'latitude',
      'longitude',
      'instructions',
    ],
  },
  proof_media: { other: ['object_key', 'sha256'] },
  proof_progress: { other: ['pin_tag'] },
  recipient_replies: { recipient: ['refusal_comment', 'return_wish'] },
  resolutions: { other: ['reason_code'] },
  sandbox_scenarios: { other: ['last_error'] },
  service_levels: { other: ['code', 'capabilities', 'cities'] },
  shipment_amendments: { recipient: ['before', 'after'], other: ['changes'] },
  shipment_batch_items: { passing: ['request', 'national_address'], other: ['key', 'price_lock', 'refusal'] },
  shipment_batches: { account: ['actor'], other: ['client_id'] },
  shipment_metadata: { recipient: ['key', 'value'] },
  shipment_terms: { recipient: ['geometry'], other: ['currency', 'lines'] },
  shipments: {
    recipient: [
      'recipient_name',
      'recipient_folded_name',
      'recipient_phone',
      'alternate_contact_name',
      'alternate_contact_phone',
      'destination',
      'place',
      'instructions',
    ],
    other: [
      'shipment_number',
      'external_reference',
      'service_level_code',
      'pickup_city_code',
      'branch_code',
      'pickup_location_code',
      'pickup',
      'currency',
      'items',
      'requirements',
    ],
  },
  sweep_marks: { other: ['task'] },
  tracking_brands: { other: ['phone', 'whats_app', 'logo_name', 'logo'] },
  tracking_links: { other: ['token_hash', 'merchant_name', 'label', 'sealed_token', 'permissions'] },
  webhook_attempts: { passing: ['exchange'] },
  webhook_deliveries: { passing: ['only_exchange'], other: ['line', 'lease_token', 'only_attempt'] },
  webhook_endpoints: { other: ['url', 'description', 'event_types', 'secret', 'secret_hint', 'previous_secret'] },
  webhook_replays: { other: ['statuses'] },
};

export const DIRECTORY_COLUMNS: PersonalColumns = {
  audit_entries: { account: ['address'], other: ['client_id', 'action', 'subject', 'detail'] },
  // `subject` is an HMAC or an id.
  challenges: { other: ['subject', 'shard', 'code_hmac', 'answer_hash'] },
  companies: { other: ['name', 'folded_name', 'shard', 'vat_number'] },
  company_suspensions: { other: ['suspended_by', 'reason', 'ended_by', 'end_reason'] },
  credential_secrets: { other: ['secret_hmac', 'secret_hint'] },
  credentials: { other: ['client_id', 'scopes'] },
  database_identity: { other: ['id'] },
  driver_phones: { account: ['phone'], other: ['shard'] },
  key_fingerprints: { other: ['list', 'fingerprint'] },
  one_time_codes: { account: ['recipient', 'code'] },
  people: { account: ['full_name', 'email', 'mobile'] },
  recoveries: { account: ['email', 'mobile', 'reason'], other: ['stop_token_hash'] },
  registration_documents: { account: ['display_name'], other: ['object_key', 'sha256'] },
  registrations: {
    account: ['store_name', 'full_name', 'email', 'mobile', 'review_reason'],
    other: [
      'reviewed_by',
      'commercial_registration_number',
      'shard',
      'upload_capability_hash',
      'once_hmac',
      'sealed_answer',
    ],
  },
  // Facts of a building. They do not say who lives in it.
  registry_addresses: {
    other: [
      'short_address',
      'building_number',
      'street',
      'district',
      'city',
      'postal_code',
      'additional_number',
      'latitude',
      'longitude',
    ],
  },
  security_uses: { other: ['bucket'] },
  sessions: { other: ['token_hash'] },
  sign_in_identifiers: { account: ['identifier'] },
  tariffs: { other: ['currency', 'city_surcharges'] },
  unlisted_objects: { other: ['object_key'] },
};

/** The columns of a table that are in a list. */
export function columnsIn(columns: PersonalColumns, table: string, name: PersonalClass): readonly string[] {
  return columns[table]?.[name] ?? [];
}

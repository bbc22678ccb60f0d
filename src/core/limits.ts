/* Limits that appear in both a schema and a text. The text takes the number from here. */

/** Entries on one page of a list. */
export const PAGE_LIMIT_MAX = 100;

/** Labels in one response. Each takes some milliseconds of processor time. */
export const LABELS_MAX = 100;

/** Characters of an Idempotency-Key. */
export const IDEMPOTENCY_KEY_LENGTH_MIN = 16;
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128;

/** Characters of Accept-Language. */
export const ACCEPT_LANGUAGE_MAX = 64;

/** How long a price lock holds. A tariff may allow less than the most. */
export const LOCK_SECONDS_MIN = 60;
export const LOCK_SECONDS_MAX = 86_400;
export const LOCK_SECONDS_DEFAULT = 1800;
/** Characters of a price lock that is read. A real one is shorter. */
export const PRICE_LOCK_LENGTH_MAX = 1024;
/** Metres between the destination of a shipment and that of its price lock, at most: people correct pins. */
export const PRICE_LOCK_METERS_MAX = 100;
/** How often one shipment can be amended: far more than people need, and few enough to read all of them at once. */
export const AMENDMENTS_MAX = 20;
/** A pin that is moved farther than this from that of the creation is in another city. */
export const AMENDMENT_KILOMETERS_MAX = 60;
/** How far a destination may be from the centre of its city: ten times the radius of the largest city. */
export const PIN_KILOMETERS_MAX = 500;
/** Digits of a Price-Limit. */
export const PRICE_LIMIT_DIGITS_MAX = 12;

/** Characters of a text for which addresses are suggested, and the most suggestions. */
export const ADDRESS_TEXT_LENGTH_MIN = 3;
export const ADDRESS_TEXT_LENGTH_MAX = 120;
export const SUGGESTIONS_MAX = 8;
/** Windows in the quota of the address registry. */
export const QUOTA_WINDOWS_MAX = 3;

/** Orders of a file that the console takes, and its size. They are sent in batches. */
export const ORDER_FILE_ORDERS_MAX = 10_000;
export const ORDER_FILE_MEBIBYTES_MAX = 20;
/** Shipments in one batch, and running batches of a company. */
export const BATCH_ITEMS_MAX = 500;
export const BATCHES_RUNNING_MAX = 2;
export const BATCH_MEBIBYTES_MAX = 4;
/**
 * Members and entries in the JSON of one request, all objects and lists together: more than a batch of 500 shipments with 100 items
 * each. Other bodies have hundreds, and their own limits. Each value takes 1 to 2 µs of processor time.
 */
export const JSON_VALUES_MAX = 400_000;
/** One shipment of a batch, as large as the body of a creation. */
export const BATCH_ITEM_KIBIBYTES_MAX = 256;
/** A batch that is still running after this time ends. */
export const BATCH_RUNNING_HOURS_MAX = 24;
/** Batches are deleted after this time. */
export const BATCHES_KEPT_DAYS = 30;

/** Entries in the metadata of a shipment, and the lengths of a key and a value in characters. */
export const METADATA_KEYS_MAX = 20;
export const METADATA_KEY_LENGTH_MAX = 40;
export const METADATA_VALUE_LENGTH_MAX = 500;

/** The largest uploaded file: a document of a registration, or a picture. */
export const UPLOAD_MEBIBYTES_MAX = 1;
export const UPLOAD_BYTES_MAX = UPLOAD_MEBIBYTES_MAX * 1024 * 1024;

/** A body brings at least these bytes in each of these seconds until it ends, and all of it in the last number of seconds. */
export const BODY_PART_BYTES = 4000;
export const BODY_PART_SECONDS = 10;
export const BODY_SECONDS_MAX = 60;

/** The days of the home page: of its charts, and of the failures that need somebody. Older ones are in the lists. */
export const ACTIVITY_DAYS = 7;

/** Events and their deliveries are deleted after this time. */
export const EVENTS_KEPT_DAYS = 30;
export const EVENTS_KEPT_SECONDS = EVENTS_KEPT_DAYS * 24 * 3600;

/** The receiver's answer to an attempt is deleted after this time. */
export const EXCHANGES_KEPT_DAYS = 7;
export const EXCHANGES_KEPT_SECONDS = EXCHANGES_KEPT_DAYS * 24 * 3600;

/** A problem lists at most this many violations. */
export const VIOLATIONS_MAX = 20;

/** Characters of the name of an unknown property or parameter in a problem and in the request log: the name is the caller's text. */
export const UNKNOWN_NAME_MAX = 32;

/** How long the request log keeps requests. */
export const SUCCESSES_LOGGED_DAYS = 7;
export const FAILURES_LOGGED_DAYS = 30;

/** Characters of a webhook endpoint's address. */
export const URL_LENGTH_MAX = 2048;

/** Attempts of a webhook, whatever a deployment's schedule. */
export const ATTEMPT_NUMBER_MAX = 100;

/** How long a one-time code is valid, and how many tries it has. */
export const CODE_MINUTES = 5;
export const CODE_ATTEMPTS_MAX = 5;

/** How long a second factor counts as recent. */
export const FRESH_MINUTES = 10;

/** How long a person who changed an identifier may not change credentials, webhooks and people. */
export const HELD_HOURS = 24;

/** How long everybody who knows the account can stop its recovery. */
export const RECOVERY_HOURS = 48;

/** How long the previous secret of a credential or an endpoint may stay valid: a week to give all systems the new one. */
export const OVERLAP_SECONDS_MAX = 604_800;
export const OVERLAP_SECONDS_DEFAULT = 86_400;

/** The longest validity of a tracking link, and the default. */
export const LINK_DAYS_MAX = 30;

/** How long a picture waits for its shipment. */
export const MEDIA_WAITING_DAYS = 7;

/** How long a message with a PIN counts as on its way. The carrier takes one in seconds; later the message was lost. */
export const PIN_MESSAGE_SECONDS = 120;

/** The longest wait at the door that a company may ask of drivers before a failure. */
export const ATTEMPT_WAIT_SECONDS_MAX = 1800;

/** How long the pictures of a delivery are kept at most, and how large one may be: larger than phones take, and small enough to be opened. */
export const PROOF_MEDIA_KEPT_DAYS = 180;
export const PROOF_MEDIA_PIXELS_MAX = 8000;

/** The longest time range of a replay, and the most deliveries. */
export const REPLAY_DAYS_MAX = 7;
export const REPLAY_MATCHED_MAX = 10_000;

/**
 * Limits of one search for a driver. A search begins with the approval, a driver's release or a retry of dispatch. An open
 * offer at the limit runs out first.
 */
export const SEARCH_OFFERS_MAX = 12;
export const SEARCH_SECONDS_MAX = 30 * 60;

/** A driver who has accepted a shipment is late when this time has passed since the end of the pickup window. */
/** A National Address farther from the destination is a mismatch: the parcel would go to another neighbourhood. */
export const ADDRESS_METERS_MAX = 1000;

/** How long a shipment waits for the National Address that its company's policy requires, before its dispatch is unresolved. */
export const ADDRESS_WAIT_SECONDS = 24 * 3600;

export const PICKUP_LATE_SECONDS = 60 * 60;

/** A driver who lets this many offers in a row run out is put off duty. */
export const OFFERS_MISSED_MAX = 3;

/** How often it is written that a driver sent something. A driver counts as silent by this much later. */
export const SEEN_SECONDS = 300;

/** Positions are stored at most once in this time: the latest of each driver. */
export const POSITION_SECONDS = 15;

/**
 * Shipments that a filtered list reads at most. In a company with a million shipments 25,000 rows take about 50 ms.
 */
export const SEARCHED_MAX = 25_000;
/** The same for rows in any order of the table. They take about five times as long as rows in the order of their creation. */
export const SCATTERED_MAX = SEARCHED_MAX / 5;

/** The default rate limits. The bindings in wrangler.toml have the same numbers for a minute. */
export const RATE_LIMITS = {
  /** In a minute, for one OAuth client. */
  reads: 1200,
  writes: 600,
  estimates: 600,
  tokens: 20,
  /** In a minute, for one network address. An open page sends four requests a minute, and many people share one address. */
  tracking: 300,
  /** Unknown tokens and secrets in a minute, for one network address: many people share one, and every token expires. */
  failures: 300,
  /** One-time codes in 15 minutes for one person, and for all people of one network address: an office shares one. */
  codes: 5,
  codesOfAddress: 30,
  /** One-time codes in an hour for the recipient of one shipment, by all of its links. */
  recipientCodes: 3,
  /** Registrations that one network address may start in an hour. */
  registrations: 10,
  /** Secrets that a company may create for its API credential in an hour, or an operator for programs. */
  secrets: 20,
  /** SMS that the deployment sends in an hour, more than one a second: it bounds the bill, not the service. */
  sms: 5000,
  /** The same for codes of registrations, which anyone can request. */
  registrationSms: 1000,
  /** Invitations that the deployment sends in an hour: many companies together cannot send more in its name. */
  invitations: 500,
} as const;

/** How many of them the recipient may ask for, so that the merchant can still correct the address. */
export const RECIPIENT_AMENDMENTS_MAX = 10;

/** Characters of what people write about a delivery: where to leave it, what to know at the door, and why it is refused. */
export const PLACE_NOTE_LENGTH_MAX = 120;
export const INSTRUCTIONS_LENGTH_MAX = 280;
export const REFUSAL_COMMENT_LENGTH_MAX = 240;
export const ADDRESS_LINE_LENGTH_MAX = 240;

/** Calls in one request to tRPC. Each call is authenticated and counted separately. */
export const TRPC_CALLS_MAX = 10;

/** So near to the destination a driver is at the door: positions of phones between houses are wrong by less. */
export const DOOR_METERS = 300;

/** Attempts to deliver one parcel. */
export const DELIVERY_ATTEMPTS_MAX = 3;
/** How long a merchant can decide what becomes of a parcel whose delivery failed, and of one that spoils. */
export const DECISION_HOURS = 24;
export const DECISION_HOURS_PERISHABLE = 12;
/** How long after the delivery items can be returned. */
export const RETURN_DAYS = 30;
/** How long a merchant can decide on a return that its recipient asks for. */
export const RETURN_DECISION_DAYS = 7;
/** How long the driver can try again what they reported as failed. */
export const ATTEMPT_AGAIN_MINUTES = 10;

/** How many days back an owner sees the last sign-in of a person. It bounds the entries of the audit that are read. */
export const SIGN_IN_DAYS = 30;

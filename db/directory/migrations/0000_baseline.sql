CREATE TABLE `registry_addresses` (
	`short_address` text PRIMARY KEY NOT NULL,
	`building_number` text,
	`street` text,
	`district` text,
	`city` text,
	`postal_code` text,
	`additional_number` text,
	`latitude` text,
	`longitude` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registry_addresses_expires_at` ON `registry_addresses` (`expires_at`);--> statement-breakpoint
CREATE TABLE `registry_calls` (
	`called_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registry_calls_called_at` ON `registry_calls` (`called_at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`person_id` text,
	`client_id` text,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	`address` text,
	`request_id` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_newest` ON `audit_entries` (`company_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_of_operators` ON `audit_entries` (`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_subject` ON `audit_entries` (`subject`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_operator` ON `audit_entries` (`person_id`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_company` ON `audit_entries` (`company_id`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject` text NOT NULL,
	`person_id` text,
	`driver_id` text,
	`shard` text,
	`channel` text NOT NULL,
	`device_reference` text,
	`code_hmac` text NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`answer_hash` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `challenges_of_subject` ON `challenges` (`subject`,`created_at`);--> statement-breakpoint
CREATE INDEX `challenges_of_person` ON `challenges` (`person_id`) WHERE "challenges"."person_id" is not null;--> statement-breakpoint
CREATE INDEX `challenges_created_at` ON `challenges` (`created_at`);--> statement-breakpoint
CREATE TABLE `one_time_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`purpose` text NOT NULL,
	`code` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `one_time_codes_of_recipient` ON `one_time_codes` (`recipient`,`created_at`);--> statement-breakpoint
CREATE INDEX `one_time_codes_created_at` ON `one_time_codes` (`created_at`);--> statement-breakpoint
CREATE TABLE `security_uses` (
	`bucket` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `security_uses_of_bucket` ON `security_uses` (`bucket`,`used_at`);--> statement-breakpoint
CREATE INDEX `security_uses_used_at` ON `security_uses` (`used_at`);--> statement-breakpoint
CREATE TABLE `companies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`folded_name` text DEFAULT '' NOT NULL,
	`shard` text NOT NULL,
	`vat_number` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `company_suspensions` (
	`company_id` text NOT NULL,
	`version` integer NOT NULL,
	`since` integer NOT NULL,
	`suspended_by` text NOT NULL,
	`reason` text NOT NULL,
	`ended_at` integer,
	`ended_by` text,
	`end_reason` text,
	PRIMARY KEY(`company_id`, `version`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `company_suspensions_open` ON `company_suspensions` (`company_id`) WHERE "company_suspensions"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `credential_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`credential_id` text NOT NULL,
	`secret_hmac` text NOT NULL,
	`secret_hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`credential_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credential_secrets_credential_id` ON `credential_secrets` (`credential_id`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text,
	`client_id` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_client_id` ON `credentials` (`client_id`);--> statement-breakpoint
CREATE INDEX `credentials_company_id` ON `credentials` (`company_id`);--> statement-breakpoint
CREATE TABLE `token_revocations` (
	`token_id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `token_revocations_expires_at` ON `token_revocations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `driver_phones` (
	`phone` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`shard` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `database_identity` (
	`only` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`deployment` text NOT NULL,
	CONSTRAINT "database_identity_only" CHECK("database_identity"."only" = 1),
	CONSTRAINT "database_identity_kind" CHECK("database_identity"."kind" in ('directory', 'shard', 'logs')),
	CONSTRAINT "database_identity_deployment" CHECK("database_identity"."deployment" in ('local', 'sandbox', 'production'))
);
--> statement-breakpoint
CREATE TABLE `key_fingerprints` (
	`list` text NOT NULL,
	`fingerprint` text NOT NULL,
	`leads_from` integer,
	`leads_until` integer,
	PRIMARY KEY(`list`, `fingerprint`)
);
--> statement-breakpoint
CREATE TABLE `company_members` (
	`company_id` text NOT NULL,
	`person_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `person_id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "company_members_role" CHECK("company_members"."role" in ('OWNER', 'MEMBER'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `company_members_person_id` ON `company_members` (`person_id`);--> statement-breakpoint
CREATE TABLE `operators` (
	`person_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`full_name` text NOT NULL,
	`email` text NOT NULL,
	`mobile` text NOT NULL,
	`created_at` integer NOT NULL,
	`held_until` integer
);
--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`email` text NOT NULL,
	`mobile` text NOT NULL,
	`stop_token_hash` text NOT NULL,
	`reason` text NOT NULL,
	`begun_by` text NOT NULL,
	`request_id` text NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recoveries_person_id` ON `recoveries` (`person_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `recoveries_stop_token_hash` ON `recoveries` (`stop_token_hash`);--> statement-breakpoint
CREATE INDEX `recoveries_due_at` ON `recoveries` (`due_at`);--> statement-breakpoint
CREATE TABLE `sign_in_identifiers` (
	`identifier` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`proved_at` integer,
	`shown_at` integer,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_identifiers_person_id` ON `sign_in_identifiers` (`person_id`);--> statement-breakpoint
CREATE TABLE `registration_documents` (
	`registration_id` text NOT NULL,
	`document_type` text NOT NULL,
	`object_key` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`content_type` text NOT NULL,
	`display_name` text NOT NULL,
	`is_protected` integer DEFAULT 0 NOT NULL,
	`uploaded_at` integer NOT NULL,
	PRIMARY KEY(`registration_id`, `document_type`),
	FOREIGN KEY (`registration_id`) REFERENCES `registrations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "registration_documents_content_type" CHECK("registration_documents"."content_type" in ('application/pdf', 'image/jpeg', 'image/png'))
);
--> statement-breakpoint
CREATE INDEX `registration_documents_sha256` ON `registration_documents` (`sha256`);--> statement-breakpoint
CREATE TABLE `registrations` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`store_name` text NOT NULL,
	`legal_basis` text NOT NULL,
	`commercial_registration_number` text,
	`full_name` text NOT NULL,
	`email` text NOT NULL,
	`mobile` text NOT NULL,
	`device_reference` text NOT NULL,
	`company_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`shard` text NOT NULL,
	`upload_capability_hash` text NOT NULL,
	`upload_capability_expires_at` integer NOT NULL,
	`once_hmac` text DEFAULT '' NOT NULL,
	`sealed_answer` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer,
	`provisioned_at` integer,
	`review` text,
	`reviewed_by` text,
	`review_reason` text,
	`reviewed_at` integer,
	`documents_until` integer,
	CONSTRAINT "registrations_state" CHECK("registrations"."state" in ('DRAFT', 'COMPLETED')),
	CONSTRAINT "registrations_legal_basis" CHECK("registrations"."legal_basis" in ('COMMERCIAL_ENTITY', 'FREELANCER'))
);
--> statement-breakpoint
CREATE INDEX `registrations_expiring` ON `registrations` (`expires_at`) WHERE "registrations"."state" = 'DRAFT';--> statement-breakpoint
CREATE INDEX `registrations_once` ON `registrations` (`once_hmac`) WHERE "registrations"."state" = 'DRAFT';--> statement-breakpoint
CREATE INDEX `registrations_unprovisioned` ON `registrations` (`id`) WHERE "registrations"."state" = 'COMPLETED' and "registrations"."provisioned_at" is null;--> statement-breakpoint
CREATE INDEX `registrations_of_status` ON `registrations` (`review`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `registrations_documents_until` ON `registrations` (`documents_until`) WHERE "registrations"."documents_until" is not null;--> statement-breakpoint
CREATE INDEX `registrations_company_id` ON `registrations` (`company_id`);--> statement-breakpoint
CREATE INDEX `registrations_number` ON `registrations` (`commercial_registration_number`);--> statement-breakpoint
CREATE INDEX `registrations_mobile` ON `registrations` (`mobile`);--> statement-breakpoint
CREATE INDEX `registrations_email` ON `registrations` (`email`);--> statement-breakpoint
CREATE TABLE `unlisted_objects` (
	`object_key` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unlisted_objects_since` ON `unlisted_objects` (`since`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`person_id` text NOT NULL,
	`channel` text NOT NULL,
	`assurance` text NOT NULL,
	`fresh_until` integer,
	`device_reference` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_channel" CHECK("sessions"."channel" in ('SMS', 'EMAIL')),
	CONSTRAINT "sessions_assurance" CHECK("sessions"."assurance" in ('AAL1', 'AAL2'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_person_id` ON `sessions` (`person_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_last_seen_at` ON `sessions` (`last_seen_at`);--> statement-breakpoint
CREATE TABLE `tariffs` (
	`version` integer PRIMARY KEY NOT NULL,
	`effective_from` integer NOT NULL,
	`currency` text NOT NULL,
	`base_amount` text NOT NULL,
	`kilometre_amount` text NOT NULL,
	`vat_rate` text NOT NULL,
	`cancellation_amount` text NOT NULL,
	`cancellation_grace_seconds` integer DEFAULT 0 NOT NULL,
	`late_cancellation_seconds` integer DEFAULT 3600,
	`lock_seconds_max` integer DEFAULT 86400 NOT NULL,
	`amendment_free_meters` integer DEFAULT 0 NOT NULL,
	`return_rate` text DEFAULT '1' NOT NULL,
	`redelivery_rate` text DEFAULT '1' NOT NULL,
	`city_surcharges` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tariffs_effective_from` ON `tariffs` (`effective_from`);

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
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`full_name` text NOT NULL,
	`email` text NOT NULL,
	`mobile` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_in_identifiers` (
	`identifier` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
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
	`uploaded_at` integer NOT NULL,
	PRIMARY KEY(`registration_id`, `document_type`),
	FOREIGN KEY (`registration_id`) REFERENCES `registrations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "registration_documents_document_type" CHECK("registration_documents"."document_type" in ('NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION', 'FREELANCE_CERTIFICATE')),
	CONSTRAINT "registration_documents_content_type" CHECK("registration_documents"."content_type" in ('application/pdf', 'image/jpeg', 'image/png'))
);
--> statement-breakpoint
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
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer,
	`provisioned_at` integer,
	CONSTRAINT "registrations_state" CHECK("registrations"."state" in ('DRAFT', 'COMPLETED')),
	CONSTRAINT "registrations_legal_basis" CHECK("registrations"."legal_basis" in ('COMMERCIAL_ENTITY', 'FREELANCER'))
);
--> statement-breakpoint
CREATE INDEX `registrations_expiring` ON `registrations` (`state`,`expires_at`);--> statement-breakpoint
CREATE INDEX `registrations_unprovisioned` ON `registrations` (`state`,`provisioned_at`);--> statement-breakpoint
CREATE TABLE `security_uses` (
	`bucket` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `security_uses_of_bucket` ON `security_uses` (`bucket`,`used_at`);--> statement-breakpoint
CREATE INDEX `security_uses_used_at` ON `security_uses` (`used_at`);--> statement-breakpoint
CREATE TABLE `person_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject` text NOT NULL,
	`person_id` text,
	`channel` text NOT NULL,
	`device_reference` text,
	`code_hmac` text NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`answer_hash` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "person_challenges_purpose" CHECK("person_challenges"."purpose" in ('REGISTRATION', 'SIGN_IN', 'ELEVATION')),
	CONSTRAINT "person_challenges_channel" CHECK("person_challenges"."channel" in ('SMS', 'EMAIL'))
);
--> statement-breakpoint
CREATE INDEX `person_challenges_of_subject` ON `person_challenges` (`subject`,`created_at`);--> statement-breakpoint
CREATE INDEX `person_challenges_created_at` ON `person_challenges` (`created_at`);--> statement-breakpoint
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
CREATE INDEX `sessions_expires_at` ON `sessions` (`expires_at`);
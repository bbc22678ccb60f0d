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
CREATE INDEX `audit_entries_newest` ON `audit_entries` (`company_id`,`at`,`id`);
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
CREATE INDEX `audit_entries_of_subject` ON `audit_entries` (`subject`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_operator` ON `audit_entries` (`person_id`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `registrations_company_id` ON `registrations` (`company_id`);--> statement-breakpoint
CREATE INDEX `registrations_number` ON `registrations` (`commercial_registration_number`);
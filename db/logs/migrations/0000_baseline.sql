CREATE TABLE `request_log` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`is_failure` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`entries` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_log_of_company` ON `request_log` (`company_id`,`is_failure`,`last_at`,`first_at`);--> statement-breakpoint
CREATE INDEX `request_log_expires_at` ON `request_log` (`expires_at`);

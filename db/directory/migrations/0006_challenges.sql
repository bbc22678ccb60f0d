DROP TABLE `driver_challenges`;--> statement-breakpoint
DROP TABLE `person_challenges`;--> statement-breakpoint
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
CREATE INDEX `challenges_created_at` ON `challenges` (`created_at`);
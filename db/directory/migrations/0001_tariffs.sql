CREATE TABLE `driver_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`phone` text NOT NULL,
	`driver_id` text,
	`shard` text,
	`company_id` text,
	`code_hmac` text NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`token_hash` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `driver_challenges_of_phone` ON `driver_challenges` (`phone`,`created_at`);--> statement-breakpoint
CREATE INDEX `driver_challenges_created_at` ON `driver_challenges` (`created_at`);--> statement-breakpoint
CREATE TABLE `driver_phones` (
	`phone` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`shard` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `tariffs` (
	`version` integer PRIMARY KEY NOT NULL,
	`effective_from` integer NOT NULL,
	`currency` text NOT NULL,
	`base_amount` text NOT NULL,
	`kilometre_amount` text NOT NULL,
	`vat_rate` text NOT NULL,
	`cancellation_amount` text NOT NULL,
	`city_surcharges` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tariffs_effective_from` ON `tariffs` (`effective_from`);
CREATE TABLE `driver_phones` (
	`phone` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`shard` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
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
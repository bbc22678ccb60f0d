CREATE TABLE `later_charges` (
	`shipment_id` text NOT NULL,
	`number` integer NOT NULL,
	`company_id` text NOT NULL,
	`code` text NOT NULL,
	`amount` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `number`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shipment_terms` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`tariff_version` integer NOT NULL,
	`currency` text NOT NULL,
	`lines` text NOT NULL,
	`vat_rate` text NOT NULL,
	`cancellation_amount` text NOT NULL,
	`distance_meters` integer NOT NULL,
	`duration_seconds` integer NOT NULL,
	`geometry` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);

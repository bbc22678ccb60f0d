CREATE TABLE `tracking_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`shipment_id` text NOT NULL,
	`company_id` text NOT NULL,
	`merchant_name` text NOT NULL,
	`locale` text,
	`label` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`view_count` integer NOT NULL,
	`last_viewed_at` integer,
	`version` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tracking_links_locale" CHECK("tracking_links"."locale" in ('en', 'ar'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tracking_links_token` ON `tracking_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `tracking_links_of_shipment` ON `tracking_links` (`shipment_id`,`created_at`,`id`);
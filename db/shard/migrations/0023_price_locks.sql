ALTER TABLE `shipment_batch_items` ADD `price_lock` text;--> statement-breakpoint
ALTER TABLE `shipment_batch_items` ADD `price_limit` text;--> statement-breakpoint
ALTER TABLE `shipment_terms` ADD `lock_id` text;--> statement-breakpoint
ALTER TABLE `shipment_terms` ADD `locked_at` integer;--> statement-breakpoint
ALTER TABLE `shipment_terms` ADD `lock_expires_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `shipment_terms_lock` ON `shipment_terms` (`company_id`,`lock_id`) WHERE "shipment_terms"."lock_id" is not null;
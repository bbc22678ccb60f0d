ALTER TABLE `shipment_terms` ADD `cancellation_grace_seconds` integer;--> statement-breakpoint
ALTER TABLE `shipment_terms` ADD `late_cancellation_seconds` integer;--> statement-breakpoint
ALTER TABLE `shipment_terms` ADD `lock_seconds_max` integer;
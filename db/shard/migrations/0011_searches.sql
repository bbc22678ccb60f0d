ALTER TABLE `dispatches` ADD `search_since` integer;--> statement-breakpoint
ALTER TABLE `dispatches` ADD `search_offers` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `dispatches_waiting` ON `dispatches` (`ready_since`) WHERE "dispatches"."ready_since" is not null and "dispatches"."driver_id" is null and "dispatches"."ended_at" is null;--> statement-breakpoint
ALTER TABLE `sandboxes` ADD `lead_seconds` integer;--> statement-breakpoint
ALTER TABLE `shipments` ADD `search_from` integer;--> statement-breakpoint
UPDATE `dispatches` SET `search_since` = `ready_since` WHERE `shipment_id` IN (SELECT `id` FROM `shipments` WHERE `state` IN ('READY_FOR_DISPATCH', 'OFFERED'));--> statement-breakpoint
UPDATE `dispatches` SET `ready_since` = NULL WHERE `shipment_id` IN (SELECT `id` FROM `shipments` WHERE `state` = 'DISPATCH_UNRESOLVED');

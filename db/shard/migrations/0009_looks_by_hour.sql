-- Keeps the first access of each hour. Run it offline, after a backup (docs/operations.md, Deploy and migrate).
CREATE TABLE `__new_recipient_looks` (
	`shipment_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`hour` integer NOT NULL,
	`looked_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `driver_id`, `hour`)
);
--> statement-breakpoint
INSERT INTO `__new_recipient_looks` SELECT `shipment_id`, `driver_id`, `looked_at` / 3600000000, min(`looked_at`) FROM `recipient_looks` GROUP BY 1, 2, 3;--> statement-breakpoint
DROP TABLE `recipient_looks`;--> statement-breakpoint
ALTER TABLE `__new_recipient_looks` RENAME TO `recipient_looks`;--> statement-breakpoint
CREATE INDEX `recipient_looks_looked_at` ON `recipient_looks` (`looked_at`);--> statement-breakpoint
CREATE INDEX `events_of_type` ON `events` (`company_id`,`type`,`position`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_type` ON `webhook_deliveries` (`company_id`,`event_type`,`created_at`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_deleted` ON `webhook_endpoints` (`id`) WHERE "webhook_endpoints"."state" = 'DELETED';
--> statement-breakpoint
CREATE TRIGGER recipient_looks_insert_moving BEFORE INSERT ON recipient_looks WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = NEW.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_looks_update_moving BEFORE UPDATE ON recipient_looks WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_looks_delete_moving BEFORE DELETE ON recipient_looks WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

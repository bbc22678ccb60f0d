-- Rebuilds a table: run it offline, after a backup (docs/operations.md, Deploy and migrate).
-- With no CHECK and SELECT *, SQLite copies whole records, in less than half the time.
CREATE TABLE `__new_shipment_events` (
	`shipment_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`type` text NOT NULL,
	`previous_state` text,
	`state` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`actor` text NOT NULL,
	`reason_code` text,
	`note` text,
	`correlation_id` text NOT NULL,
	PRIMARY KEY(`shipment_id`, `sequence`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_shipment_events` SELECT * FROM `shipment_events`;--> statement-breakpoint
DROP TABLE `shipment_events`;--> statement-breakpoint
ALTER TABLE `__new_shipment_events` RENAME TO `shipment_events`;
--> statement-breakpoint
CREATE TRIGGER shipment_events_insert_moving BEFORE INSERT ON shipment_events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_events_update_moving BEFORE UPDATE ON shipment_events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_events_delete_moving BEFORE DELETE ON shipment_events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

CREATE TABLE `shipment_metadata` (
	`shipment_id` text NOT NULL,
	`company_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `key`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shipment_metadata_entry` ON `shipment_metadata` (`company_id`,`key`,`value`,`created_at`,`shipment_id`);--> statement-breakpoint
ALTER TABLE `shipments` ADD `metadata_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER shipment_metadata_insert_moving BEFORE INSERT ON shipment_metadata WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_metadata_update_moving BEFORE UPDATE ON shipment_metadata WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_metadata_delete_moving BEFORE DELETE ON shipment_metadata WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

CREATE TABLE `shipment_batch_items` (
	`batch_id` text NOT NULL,
	`position` integer NOT NULL,
	`company_id` text NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`checked` integer NOT NULL,
	`external_reference` text,
	`request` text,
	`shipment_id` text,
	`refusal` text,
	`ended_at` integer,
	PRIMARY KEY(`batch_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `shipment_batches` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`actor` text,
	`mode` text NOT NULL,
	`on_invalid` text NOT NULL,
	`state` text NOT NULL,
	`total` integer NOT NULL,
	`correlation_id` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`due_at` integer
);
--> statement-breakpoint
CREATE INDEX `shipment_batches_due` ON `shipment_batches` (`due_at`) WHERE "shipment_batches"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `shipment_batches_running` ON `shipment_batches` (`company_id`) WHERE "shipment_batches"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX `shipment_batches_created` ON `shipment_batches` (`created_at`);
--> statement-breakpoint
CREATE TRIGGER shipment_batches_insert_moving BEFORE INSERT ON shipment_batches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batches_update_moving BEFORE UPDATE ON shipment_batches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batches_delete_moving BEFORE DELETE ON shipment_batches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batch_items_insert_moving BEFORE INSERT ON shipment_batch_items WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batch_items_update_moving BEFORE UPDATE ON shipment_batch_items WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batch_items_delete_moving BEFORE DELETE ON shipment_batch_items WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

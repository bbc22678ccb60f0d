CREATE TABLE `shipment_ratings` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`stars` integer NOT NULL,
	`rated_at` integer NOT NULL,
	`event_id` text NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TRIGGER shipment_ratings_insert_moving BEFORE INSERT ON shipment_ratings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_ratings_update_moving BEFORE UPDATE ON shipment_ratings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_ratings_delete_moving BEFORE DELETE ON shipment_ratings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

CREATE TABLE `tracking_brands` (
	`company_id` text PRIMARY KEY NOT NULL,
	`phone` text,
	`whats_app` text,
	`shows_contact` integer NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`logo_name` text,
	`logo_type` text,
	`logo_width` integer,
	`logo_height` integer,
	`logo` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tracking_brands_logo` ON `tracking_brands` (`logo_name`) WHERE "tracking_brands"."logo_name" is not null;
--> statement-breakpoint
CREATE TRIGGER tracking_brands_insert_moving BEFORE INSERT ON tracking_brands WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_brands_update_moving BEFORE UPDATE ON tracking_brands WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_brands_delete_moving BEFORE DELETE ON tracking_brands WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

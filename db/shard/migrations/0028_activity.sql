CREATE TABLE `activity_days` (
	`company_id` text NOT NULL,
	`day` integer NOT NULL,
	`city_code` text NOT NULL,
	`created` integer NOT NULL,
	`delivered` integer NOT NULL,
	`first_attempt` integer NOT NULL,
	`in_time` integer NOT NULL,
	`failed` integer NOT NULL,
	`cancelled` integer NOT NULL,
	PRIMARY KEY(`company_id`, `day`, `city_code`)
);
--> statement-breakpoint
CREATE TABLE `activity_progress` (
	`company_id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER activity_days_insert_moving BEFORE INSERT ON activity_days WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_days_update_moving BEFORE UPDATE ON activity_days WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_days_delete_moving BEFORE DELETE ON activity_days WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_progress_insert_moving BEFORE INSERT ON activity_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_progress_update_moving BEFORE UPDATE ON activity_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_progress_delete_moving BEFORE DELETE ON activity_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

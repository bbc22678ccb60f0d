CREATE TABLE `unlisted_objects` (
	`object_key` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unlisted_objects_since` ON `unlisted_objects` (`since`);
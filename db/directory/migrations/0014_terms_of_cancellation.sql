ALTER TABLE `tariffs` ADD `cancellation_grace_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `late_cancellation_seconds` integer DEFAULT 3600;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `lock_seconds_max` integer DEFAULT 86400 NOT NULL;
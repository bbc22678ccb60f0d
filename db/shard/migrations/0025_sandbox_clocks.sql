ALTER TABLE `sandboxes` ADD `clock_offset` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sandboxes` ADD `clock_at` integer;--> statement-breakpoint
ALTER TABLE `sandboxes` ADD `clock_target` integer;--> statement-breakpoint
ALTER TABLE `sandboxes` ADD `clock_starts_at` integer;
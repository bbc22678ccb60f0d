CREATE TABLE `media_assets` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`external_reference` text NOT NULL,
	`sort_order` integer NOT NULL,
	`state` text NOT NULL,
	`object_key` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`content_type` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	CONSTRAINT "media_assets_state" CHECK("media_assets"."state" in ('UPLOADING', 'READY', 'EXPIRED')),
	CONSTRAINT "media_assets_content_type" CHECK("media_assets"."content_type" in ('image/jpeg', 'image/png'))
);
--> statement-breakpoint
CREATE INDEX `media_assets_ready` ON `media_assets` (`company_id`,`external_reference`,`sort_order`,`id`) WHERE "media_assets"."state" = 'READY';--> statement-breakpoint
CREATE INDEX `media_assets_due` ON `media_assets` (`due_at`);--> statement-breakpoint
CREATE TABLE `media_lists` (
	`company_id` text NOT NULL,
	`external_reference` text NOT NULL,
	`listed` text NOT NULL,
	PRIMARY KEY(`company_id`, `external_reference`)
);

CREATE TABLE `events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`type` text NOT NULL,
	`shipment_id` text,
	`sequence` integer NOT NULL,
	`occurred_at` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_of_company` ON `events` (`company_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_of_shipment` ON `events` (`shipment_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer,
	`error` text,
	PRIMARY KEY(`delivery_id`, `number`),
	CONSTRAINT "webhook_attempts_error" CHECK("webhook_attempts"."error" in ('TIMEOUT', 'DNS', 'TLS', 'CONNECT', 'NON_2XX', 'REDIRECT', 'BLOCKED_ADDRESS'))
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`company_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`shipment_id` text,
	`line` text,
	`status` text NOT NULL,
	`attempt_count` integer NOT NULL,
	`next_attempt_at` integer,
	`lease_token` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`replay_of` text,
	`replay_id` text,
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" in ('PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'SKIPPED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id` ON `webhook_deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE "webhook_deliveries"."status" in ('PENDING', 'RETRYING');--> statement-breakpoint
CREATE INDEX `webhook_deliveries_line` ON `webhook_deliveries` (`endpoint_id`,`line`,`position`) WHERE "webhook_deliveries"."status" in ('PENDING', 'RETRYING');--> statement-breakpoint
CREATE INDEX `webhook_deliveries_leased` ON `webhook_deliveries` (`lease_token`) WHERE "webhook_deliveries"."lease_token" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_newest` ON `webhook_deliveries` (`company_id`,`position`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_status` ON `webhook_deliveries` (`company_id`,`status`,`position`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_endpoint` ON `webhook_deliveries` (`endpoint_id`,`position`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_shipment` ON `webhook_deliveries` (`shipment_id`,`position`) WHERE "webhook_deliveries"."shipment_id" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_replay` ON `webhook_deliveries` (`replay_id`) WHERE "webhook_deliveries"."replay_id" is not null;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`event_types` text NOT NULL,
	`state` text NOT NULL,
	`secret` text NOT NULL,
	`secret_hint` text NOT NULL,
	`previous_secret` text,
	`previous_secret_expires_at` integer,
	`last_success_at` integer,
	`last_failure_at` integer,
	`consecutive_failures` integer NOT NULL,
	`failing_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "webhook_endpoints_state" CHECK("webhook_endpoints"."state" in ('ENABLED', 'DISABLED', 'AUTO_DISABLED', 'DELETED'))
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_of_company` ON `webhook_endpoints` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_replays` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`company_id` text NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`statuses` text NOT NULL,
	`state` text NOT NULL,
	`matched` integer NOT NULL,
	`queued` integer NOT NULL,
	`position` integer NOT NULL,
	`last_position` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	CONSTRAINT "webhook_replays_state" CHECK("webhook_replays"."state" in ('RUNNING', 'COMPLETED', 'CANCELLED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_replays_running` ON `webhook_replays` (`endpoint_id`) WHERE "webhook_replays"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX `webhook_replays_completed` ON `webhook_replays` (`completed_at`);--> statement-breakpoint
ALTER TABLE `shipments` ADD `event_count` integer DEFAULT 0 NOT NULL;
CREATE TABLE `database_identity` (
	`only` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`deployment` text NOT NULL,
	CONSTRAINT "database_identity_only" CHECK("database_identity"."only" = 1),
	CONSTRAINT "database_identity_kind" CHECK("database_identity"."kind" in ('directory', 'shard', 'logs')),
	CONSTRAINT "database_identity_deployment" CHECK("database_identity"."deployment" in ('local', 'sandbox', 'production'))
);
--> statement-breakpoint
CREATE TABLE `request_log` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`is_failure` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`entries` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_log_of_company` ON `request_log` (`company_id`,`is_failure`,`last_at`,`first_at`);--> statement-breakpoint
CREATE INDEX `request_log_expires_at` ON `request_log` (`expires_at`);

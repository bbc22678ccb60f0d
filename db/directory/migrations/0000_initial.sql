CREATE TABLE `companies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`shard` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credential_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`credential_id` text NOT NULL,
	`secret_hmac` text NOT NULL,
	`secret_hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`credential_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credential_secrets_credential_id` ON `credential_secrets` (`credential_id`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text,
	`client_id` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_client_id` ON `credentials` (`client_id`);--> statement-breakpoint
CREATE INDEX `credentials_company_id` ON `credentials` (`company_id`);--> statement-breakpoint
CREATE TABLE `token_revocations` (
	`token_id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `token_revocations_expires_at` ON `token_revocations` (`expires_at`);
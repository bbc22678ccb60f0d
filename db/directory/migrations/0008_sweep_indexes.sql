DROP INDEX `sessions_expires_at`;--> statement-breakpoint
CREATE INDEX `sessions_last_seen_at` ON `sessions` (`last_seen_at`);--> statement-breakpoint
DROP INDEX `registrations_expiring`;--> statement-breakpoint
DROP INDEX `registrations_unprovisioned`;--> statement-breakpoint
CREATE INDEX `registrations_expiring` ON `registrations` (`expires_at`) WHERE "registrations"."state" = 'DRAFT';--> statement-breakpoint
CREATE INDEX `registrations_unprovisioned` ON `registrations` (`id`) WHERE "registrations"."state" = 'COMPLETED' and "registrations"."provisioned_at" is null;
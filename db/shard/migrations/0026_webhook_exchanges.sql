ALTER TABLE `webhook_attempts` ADD `exchange` text;--> statement-breakpoint
CREATE INDEX `webhook_attempts_exchanges` ON `webhook_attempts` (`started_at`) WHERE "webhook_attempts"."exchange" is not null;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `only_exchange` text;
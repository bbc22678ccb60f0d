DROP INDEX `webhook_deliveries_of_status`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_due`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed` ON `webhook_deliveries` (`company_id`,`status`,`created_at`) WHERE "webhook_deliveries"."status" = 'RETRYING' or "webhook_deliveries"."status" = 'EXHAUSTED' or "webhook_deliveries"."status" = 'SKIPPED';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`,`status`) WHERE "webhook_deliveries"."status" in ('PENDING', 'RETRYING');
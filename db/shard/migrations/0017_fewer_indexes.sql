DROP INDEX `drivers_available`;--> statement-breakpoint
CREATE INDEX `drivers_of_city` ON `drivers` (`city_code`,`on_duty`);--> statement-breakpoint
DROP INDEX `webhook_deliveries_line`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_leased`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_newest`;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `only_attempt` text;
CREATE TABLE `dispatches` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`service_level_code` text,
	`city_code` text NOT NULL,
	`length_centimetres` text NOT NULL,
	`held` integer NOT NULL,
	`ready_since` integer,
	`driver_id` text,
	`last_refused_driver_id` text,
	`ended_at` integer,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `drivers` (
	`id` text PRIMARY KEY NOT NULL,
	`phone` text NOT NULL,
	`first_name` text NOT NULL,
	`vehicle_type` text NOT NULL,
	`company_id` text,
	`capabilities` text NOT NULL,
	`weight_kilograms_max` text NOT NULL,
	`length_centimetres_max` text NOT NULL,
	`city_code` text NOT NULL,
	`status` text NOT NULL,
	`on_duty` integer NOT NULL,
	`active_count` integer NOT NULL,
	`active_max` integer NOT NULL,
	`latitude` text,
	`longitude` text,
	`position_at` integer,
	`idle_since` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "drivers_status" CHECK("drivers"."status" in ('ACTIVE', 'INACTIVE')),
	CONSTRAINT "drivers_within_limit" CHECK("drivers"."active_count" between 0 and "drivers"."active_max")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drivers_phone` ON `drivers` (`phone`);--> statement-breakpoint
CREATE INDEX `drivers_available` ON `drivers` (`city_code`,`on_duty`,`active_count`);--> statement-breakpoint
CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`shipment_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`state` text NOT NULL,
	`offered_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`driver_id`) REFERENCES `drivers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "offers_state" CHECK("offers"."state" in ('OPEN', 'ACCEPTED', 'DECLINED', 'EXPIRED', 'RELEASED', 'WITHDRAWN', 'CANCELLED', 'COMPLETED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `offers_current` ON `offers` (`shipment_id`) WHERE "offers"."state" in ('OPEN', 'ACCEPTED');--> statement-breakpoint
CREATE INDEX `offers_of_driver` ON `offers` (`driver_id`,`state`,`offered_at`);--> statement-breakpoint
CREATE INDEX `offers_of_shipment` ON `offers` (`shipment_id`,`offered_at`);--> statement-breakpoint
CREATE TABLE `service_levels` (
	`code` text PRIMARY KEY NOT NULL,
	`capabilities` text NOT NULL,
	`weight_kilograms_max` text NOT NULL,
	`length_centimetres_max` text NOT NULL,
	`cities` text NOT NULL,
	`rank` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "service_levels_status" CHECK("service_levels"."status" in ('ACTIVE', 'INACTIVE'))
);
--> statement-breakpoint
CREATE TABLE `driver_sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`driver_id`) REFERENCES `drivers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `driver_sessions_expires_at` ON `driver_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `driver_sessions_of_driver` ON `driver_sessions` (`driver_id`);--> statement-breakpoint
CREATE TABLE `recipient_looks` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`shipment_id` text NOT NULL,
	`looked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recipient_looks_of_shipment` ON `recipient_looks` (`shipment_id`,`looked_at`);--> statement-breakpoint
CREATE TABLE `sandbox_faults` (
	`company_id` text NOT NULL,
	`target` text NOT NULL,
	`remaining` integer NOT NULL,
	PRIMARY KEY(`company_id`, `target`),
	CONSTRAINT "sandbox_faults_target" CHECK("sandbox_faults"."target" in ('ROUTING', 'STORAGE', 'WEBHOOK_DELIVERY'))
);
--> statement-breakpoint
CREATE TABLE `sandbox_scenarios` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`step_seconds` integer NOT NULL,
	`step` integer NOT NULL,
	`due_at` integer,
	`last_error` text,
	CONSTRAINT "sandbox_scenarios_name" CHECK("sandbox_scenarios"."name" in ('HAPPY_PATH', 'NO_DRIVER', 'DECLINE_THEN_ACCEPT', 'DRIVER_RELEASES', 'RECIPIENT_UNREACHABLE', 'RECIPIENT_REFUSED', 'LOST'))
);
--> statement-breakpoint
CREATE INDEX `sandbox_scenarios_due` ON `sandbox_scenarios` (`due_at`) WHERE "sandbox_scenarios"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `sandbox_scenarios_of_company` ON `sandbox_scenarios` (`company_id`);--> statement-breakpoint
CREATE TABLE `sandboxes` (
	`company_id` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`dispatch_held` integer NOT NULL,
	`driver_id` text NOT NULL,
	`relief_driver_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `later_charges` (
	`shipment_id` text NOT NULL,
	`number` integer NOT NULL,
	`company_id` text NOT NULL,
	`code` text NOT NULL,
	`amount` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `number`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shipment_terms` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`tariff_version` integer NOT NULL,
	`currency` text NOT NULL,
	`lines` text NOT NULL,
	`vat_rate` text NOT NULL,
	`cancellation_amount` text NOT NULL,
	`distance_meters` integer NOT NULL,
	`duration_seconds` integer NOT NULL,
	`geometry` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `company_settings` (
	`company_id` text PRIMARY KEY NOT NULL,
	`approval_policy` text NOT NULL,
	CONSTRAINT "company_settings_approval_policy" CHECK("company_settings"."approval_policy" in ('AUTOMATIC', 'MANUAL'))
);
--> statement-breakpoint
CREATE TABLE `branches` (
	`company_id` text NOT NULL,
	`branch_code` text NOT NULL,
	`name` text NOT NULL,
	`name_ar` text,
	`city_code` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`company_id`, `branch_code`),
	CONSTRAINT "branches_status" CHECK("branches"."status" in ('ACTIVE', 'INACTIVE'))
);
--> statement-breakpoint
CREATE INDEX `branches_newest` ON `branches` (`company_id`,`created_at`,`branch_code`);--> statement-breakpoint
CREATE TABLE `pickup_locations` (
	`company_id` text NOT NULL,
	`pickup_location_code` text NOT NULL,
	`branch_code` text NOT NULL,
	`name` text NOT NULL,
	`name_ar` text,
	`address_line` text NOT NULL,
	`city_code` text NOT NULL,
	`latitude` text NOT NULL,
	`longitude` text NOT NULL,
	`contact_name` text,
	`contact_phone` text,
	`instructions` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`company_id`, `pickup_location_code`),
	FOREIGN KEY (`company_id`,`branch_code`) REFERENCES `branches`(`company_id`,`branch_code`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pickup_locations_status" CHECK("pickup_locations"."status" in ('ACTIVE', 'INACTIVE'))
);
--> statement-breakpoint
CREATE INDEX `pickup_locations_newest` ON `pickup_locations` (`company_id`,`created_at`,`pickup_location_code`);--> statement-breakpoint
CREATE INDEX `pickup_locations_of_branch` ON `pickup_locations` (`company_id`,`branch_code`,`created_at`,`pickup_location_code`);--> statement-breakpoint
CREATE TABLE `idempotency_records` (
	`company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`response` text NOT NULL,
	`etag` text NOT NULL,
	`location` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `client_id`, `operation`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_records_expires_at` ON `idempotency_records` (`expires_at`);--> statement-breakpoint
CREATE TABLE `shipment_events` (
	`shipment_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`type` text NOT NULL,
	`previous_state` text,
	`state` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`actor` text NOT NULL,
	`reason_code` text,
	`note` text,
	`correlation_id` text NOT NULL,
	PRIMARY KEY(`shipment_id`, `sequence`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shipment_events_state" CHECK("shipment_events"."state" in ('PENDING_APPROVAL', 'READY_FOR_DISPATCH', 'OFFERED', 'ACCEPTED', 'DISPATCH_UNRESOLVED', 'PICKED_UP', 'OUT_FOR_DELIVERY', 'DELIVERED', 'DELIVERY_FAILED', 'CANCELLED')),
	CONSTRAINT "shipment_events_actor" CHECK("shipment_events"."actor" in ('MERCHANT', 'DRIVER', 'SYSTEM', 'OPERATOR'))
);
--> statement-breakpoint
CREATE TABLE `shipments` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`shipment_number` text NOT NULL,
	`external_reference` text NOT NULL,
	`state` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`approved_at` integer,
	`due_at` integer,
	`branch_code` text NOT NULL,
	`pickup_location_code` text NOT NULL,
	`recipient_name` text NOT NULL,
	`recipient_phone` text NOT NULL,
	`alternate_contact_name` text,
	`alternate_contact_phone` text,
	`pickup` text NOT NULL,
	`destination` text NOT NULL,
	`total_weight_kilograms` text NOT NULL,
	`declared_value` text NOT NULL,
	`cod_amount` text NOT NULL,
	`currency` text NOT NULL,
	`payment_method` text NOT NULL,
	`pickup_window_start` integer NOT NULL,
	`pickup_window_end` integer NOT NULL,
	`items` text NOT NULL,
	`requirements` text NOT NULL,
	CONSTRAINT "shipments_state" CHECK("shipments"."state" in ('PENDING_APPROVAL', 'READY_FOR_DISPATCH', 'OFFERED', 'ACCEPTED', 'DISPATCH_UNRESOLVED', 'PICKED_UP', 'OUT_FOR_DELIVERY', 'DELIVERED', 'DELIVERY_FAILED', 'CANCELLED')),
	CONSTRAINT "shipments_payment_method" CHECK("shipments"."payment_method" in ('PREPAID', 'COD'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shipments_external_reference` ON `shipments` (`company_id`,`external_reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `shipments_number` ON `shipments` (`company_id`,`shipment_number`);--> statement-breakpoint
CREATE INDEX `shipments_newest` ON `shipments` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `shipments_newest_of_state` ON `shipments` (`company_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `shipments_due` ON `shipments` (`due_at`) WHERE "shipments"."due_at" is not null;
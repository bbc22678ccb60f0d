CREATE TABLE `activity_days` (
	`company_id` text NOT NULL,
	`day` integer NOT NULL,
	`city_code` text NOT NULL,
	`created` integer NOT NULL,
	`delivered` integer NOT NULL,
	`first_attempt` integer NOT NULL,
	`in_time` integer NOT NULL,
	`failed` integer NOT NULL,
	`cancelled` integer NOT NULL,
	PRIMARY KEY(`company_id`, `day`, `city_code`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `activity_progress` (
	`company_id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`person_id` text,
	`client_id` text,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	`address` text,
	`request_id` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_newest` ON `audit_entries` (`company_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_of_operators` ON `audit_entries` (`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_subject` ON `audit_entries` (`subject`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_operator` ON `audit_entries` (`person_id`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_entries_of_company` ON `audit_entries` (`company_id`,`at`,`id`) WHERE "audit_entries"."client_id" is not null;--> statement-breakpoint
CREATE TABLE `shipment_batch_items` (
	`batch_id` text NOT NULL,
	`position` integer NOT NULL,
	`company_id` text NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`checked` integer NOT NULL,
	`repeats` text,
	`request` text,
	`price_lock` text,
	`national_address` text,
	`price_limit` text,
	`shipment_id` text,
	`refusal` text,
	`ended_at` integer,
	PRIMARY KEY(`batch_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `shipment_batches` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`actor` text,
	`mode` text NOT NULL,
	`on_invalid` text NOT NULL,
	`state` text NOT NULL,
	`total` integer NOT NULL,
	`correlation_id` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`due_at` integer
);
--> statement-breakpoint
CREATE INDEX `shipment_batches_due` ON `shipment_batches` (`due_at`) WHERE "shipment_batches"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `shipment_batches_running` ON `shipment_batches` (`company_id`) WHERE "shipment_batches"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX `shipment_batches_created` ON `shipment_batches` (`created_at`);--> statement-breakpoint
CREATE TABLE `case_messages` (
	`case_id` text NOT NULL,
	`number` integer NOT NULL,
	`company_id` text NOT NULL,
	`shipment_id` text NOT NULL,
	`author` text NOT NULL,
	`text` text,
	`pictures` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`case_id`, `number`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `case_messages_of_shipment` ON `case_messages` (`shipment_id`);--> statement-breakpoint
CREATE TABLE `cases` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`shipment_id` text NOT NULL,
	`number` text NOT NULL,
	`kind` text NOT NULL,
	`opened_by` text NOT NULL,
	`state` text NOT NULL,
	`outcome` text,
	`answer_by` integer NOT NULL,
	`answered_at` integer,
	`answered_by` text,
	`evidence` text,
	`evidence_sha256` text,
	`message_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`version` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cases_not_closed` ON `cases` (`shipment_id`,`kind`) WHERE "cases"."state" <> 'CLOSED';--> statement-breakpoint
CREATE INDEX `cases_of_shipment` ON `cases` (`shipment_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `cases_newest` ON `cases` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_in_state` ON `cases` (`company_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_owed` ON `cases` (`answer_by`,`id`) WHERE state in ('OPEN', 'DISPUTED');--> statement-breakpoint
CREATE TABLE `cod_collections` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`amount` text NOT NULL,
	`method` text NOT NULL,
	`reference` text,
	`driver_id` text NOT NULL,
	`collected_at` integer NOT NULL,
	`shipment_version` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `cod_collections_newest` ON `cod_collections` (`company_id`,`collected_at`,`shipment_id`,`amount`);--> statement-breakpoint
CREATE TABLE `company_settings` (
	`company_id` text PRIMARY KEY NOT NULL,
	`approval_policy` text NOT NULL,
	`review` text,
	`address_policy` text,
	`recipient_amendment_limit` text,
	`proof_terms` text,
	CONSTRAINT "company_settings_approval_policy" CHECK("company_settings"."approval_policy" in ('AUTOMATIC', 'MANUAL'))
);
--> statement-breakpoint
CREATE TABLE `delivery_proofs` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`evidence` text NOT NULL,
	`sha256` text NOT NULL,
	`record` text NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `proof_media` (
	`id` text PRIMARY KEY NOT NULL,
	`shipment_id` text NOT NULL,
	`company_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`purpose` text NOT NULL,
	`state` text NOT NULL,
	`object_key` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`content_type` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proof_media_content` ON `proof_media` (`shipment_id`,`sha256`,`purpose`);--> statement-breakpoint
CREATE INDEX `proof_media_due` ON `proof_media` (`due_at`);--> statement-breakpoint
CREATE TABLE `proof_progress` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`pin_tag` text,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`verified_at` integer,
	`seen_at` integer,
	`sent_at` integer,
	`unsent_at` integer,
	`resends` integer DEFAULT 0 NOT NULL,
	`released_at` integer,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
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
	`missed_offers` integer DEFAULT 0 NOT NULL,
	`seen_at` integer,
	`off_duty_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "drivers_status" CHECK("drivers"."status" in ('ACTIVE', 'INACTIVE')),
	CONSTRAINT "drivers_within_limit" CHECK("drivers"."active_count" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drivers_phone` ON `drivers` (`phone`);--> statement-breakpoint
CREATE INDEX `drivers_of_city` ON `drivers` (`city_code`,`on_duty`);--> statement-breakpoint
CREATE TABLE `offers` (
	`id` text NOT NULL,
	`shipment_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`state` text NOT NULL,
	`offered_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`pickup_arrival` text,
	`door_arrival` text,
	PRIMARY KEY(`shipment_id`, `offered_at`, `id`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`driver_id`) REFERENCES `drivers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "offers_state" CHECK("offers"."state" in ('OPEN', 'ACCEPTED', 'DECLINED', 'EXPIRED', 'RELEASED', 'WITHDRAWN', 'CANCELLED', 'COMPLETED'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `offers_of_driver` ON `offers` (`driver_id`,`ended_at`);--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `driver_sessions_expires_at` ON `driver_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `driver_sessions_of_driver` ON `driver_sessions` (`driver_id`);--> statement-breakpoint
CREATE TABLE `recipient_looks` (
	`shipment_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`hour` integer NOT NULL,
	`looked_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `driver_id`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `recipient_looks_looked_at` ON `recipient_looks` (`looked_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`type` text NOT NULL,
	`shipment_id` text,
	`sequence` integer NOT NULL,
	`occurred_at` integer NOT NULL,
	`previous_state` text,
	`correlation_id` text NOT NULL,
	`step` integer,
	`state` text,
	`actor` text,
	`reason_code` text,
	`note` text,
	`body` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_of_shipment` ON `events` (`shipment_id`,`step`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`) WHERE "events"."body" is not null;--> statement-breakpoint
CREATE INDEX `events_of_type` ON `events` (`company_id`,`type`,`position`) WHERE "events"."body" is not null;--> statement-breakpoint
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
CREATE TABLE `late_reports` (
	`shipment_id` text NOT NULL,
	`action` text NOT NULL,
	`company_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`state` text NOT NULL,
	`reason_code` text,
	`reported_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `action`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE INDEX `media_assets_newest` ON `media_assets` (`company_id`,`created_at`,`id`) WHERE "media_assets"."state" = 'READY';--> statement-breakpoint
CREATE TABLE `media_lists` (
	`company_id` text NOT NULL,
	`external_reference` text NOT NULL,
	`listed` text NOT NULL,
	PRIMARY KEY(`company_id`, `external_reference`)
);
--> statement-breakpoint
CREATE TABLE `company_moves` (
	`company_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`other_shard` text NOT NULL,
	`forward_to` text,
	`run` text NOT NULL,
	`changed_at` integer NOT NULL,
	CONSTRAINT "company_moves_state" CHECK("company_moves"."state" in ('DRAINING', 'FROZEN', 'COPYING', 'MOVED', 'ARRIVED'))
);
--> statement-breakpoint
CREATE TABLE `national_addresses` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`short_address` text,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`found` text,
	`distance_meters` integer,
	`checked_at` integer,
	`check_due_at` integer,
	`check_attempts` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `national_addresses_due` ON `national_addresses` (`check_due_at`) WHERE "national_addresses"."check_due_at" is not null;--> statement-breakpoint
CREATE INDEX `national_addresses_unanswered` ON `national_addresses` (`status`) WHERE status = 'UNVERIFIED' and check_attempts > 0 and short_address is not null;--> statement-breakpoint
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
CREATE TABLE `recipient_replies` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`confirmed_at` integer,
	`refused_at` integer,
	`refusal_reason` text,
	`refusal_comment` text,
	`return_asked_at` integer,
	`return_decide_by` integer,
	`return_rejected_at` integer,
	`return_wish` text,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `follow_ups` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`kind` text NOT NULL,
	`preceding_id` text NOT NULL,
	`root_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`return_reason` text,
	`returned` text,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `follow_ups_of` ON `follow_ups` (`preceding_id`);--> statement-breakpoint
CREATE TABLE `resolutions` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`state` text NOT NULL,
	`reason_code` text NOT NULL,
	`evidence` text NOT NULL,
	`payer` text NOT NULL,
	`attempts` integer NOT NULL,
	`failed_at` integer NOT NULL,
	`decide_by` integer NOT NULL,
	`default_kind` text NOT NULL,
	`kind` text,
	`actor` text,
	`decided_at` integer,
	`follow_up_id` text,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `resolutions_open` ON `resolutions` (`company_id`,`decide_by`) WHERE "resolutions"."state" = 'OPEN';--> statement-breakpoint
CREATE TABLE `sandbox_faults` (
	`company_id` text NOT NULL,
	`target` text NOT NULL,
	`remaining` integer NOT NULL,
	PRIMARY KEY(`company_id`, `target`),
	CONSTRAINT "sandbox_faults_target" CHECK("sandbox_faults"."target" in ('ROUTING', 'STORAGE', 'WEBHOOK_DELIVERY', 'ADDRESS'))
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
	CONSTRAINT "sandbox_scenarios_name" CHECK("sandbox_scenarios"."name" in ('HAPPY_PATH', 'NO_DRIVER', 'DECLINE_THEN_ACCEPT', 'DRIVER_RELEASES', 'RECIPIENT_UNREACHABLE', 'RECIPIENT_REFUSED', 'COD_NOT_PAID', 'LOST', 'ADDRESS_MISMATCH', 'WINDOW_MISSED', 'WRONG_PIN', 'ATTEMPT_WITHOUT_PROOF', 'RECALLED'))
);
--> statement-breakpoint
CREATE INDEX `sandbox_scenarios_due` ON `sandbox_scenarios` (`due_at`) WHERE "sandbox_scenarios"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `sandbox_scenarios_of_company` ON `sandbox_scenarios` (`company_id`);--> statement-breakpoint
CREATE TABLE `sandboxes` (
	`company_id` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`dispatch_held` integer NOT NULL,
	`lead_seconds` integer,
	`driver_id` text NOT NULL,
	`relief_driver_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`clock_offset` integer DEFAULT 0 NOT NULL,
	`clock_at` integer,
	`clock_target` integer,
	`clock_starts_at` integer
);
--> statement-breakpoint
CREATE INDEX `sandboxes_moved` ON `sandboxes` (`company_id`) WHERE "sandboxes"."clock_offset" <> 0 or "sandboxes"."clock_target" is not null;--> statement-breakpoint
CREATE TABLE `shipment_amendments` (
	`shipment_id` text NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`actor` text NOT NULL,
	`state` text NOT NULL,
	`changes` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	`reason_code` text,
	`amount` text NOT NULL,
	`vat_amount` text NOT NULL,
	`shipment_version` integer,
	`requested_at` integer NOT NULL,
	`acknowledged_at` integer,
	`decide_by` integer,
	`decided_at` integer,
	`version` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `number`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shipment_metadata` (
	`shipment_id` text NOT NULL,
	`company_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `key`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `shipment_metadata_entry` ON `shipment_metadata` (`company_id`,`key`,`value`,`created_at`,`shipment_id`);--> statement-breakpoint
CREATE TABLE `shipment_ratings` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`stars` integer NOT NULL,
	`rated_at` integer NOT NULL,
	`event_id` text NOT NULL,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_records_expires_at` ON `idempotency_records` (`expires_at`);--> statement-breakpoint
CREATE TABLE `shipments` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`shipment_number` text NOT NULL,
	`external_reference` text NOT NULL,
	`state` text NOT NULL,
	`stage` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`approved_at` integer,
	`due_at` integer,
	`search_from` integer,
	`service_level_code` text,
	`pickup_city_code` text NOT NULL,
	`length_centimetres` text NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`address_gate` text DEFAULT 'OFF' NOT NULL,
	`ready_since` integer,
	`search_since` integer,
	`search_offers` integer DEFAULT 0 NOT NULL,
	`driver_id` text,
	`last_refused_driver_id` text,
	`ended_at` integer,
	`forgotten_at` integer,
	`branch_code` text NOT NULL,
	`pickup_location_code` text NOT NULL,
	`recipient_name` text NOT NULL,
	`recipient_folded_name` text DEFAULT '' NOT NULL,
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
	`event_count` integer DEFAULT 0 NOT NULL,
	`place` text,
	`instructions` text,
	`delivery_window_start` integer,
	`delivery_window_end` integer,
	`window_status` text,
	`amendment_count` integer DEFAULT 0 NOT NULL,
	`metadata_version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shipments_external_reference` ON `shipments` (`company_id`,`external_reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `shipments_number` ON `shipments` (`company_id`,`shipment_number`);--> statement-breakpoint
CREATE INDEX `shipments_newest` ON `shipments` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `shipments_newest_of_stage` ON `shipments` (`company_id`,`stage`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `shipments_due` ON `shipments` (`due_at`) WHERE "shipments"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `shipments_waiting` ON `shipments` (`ready_since`) WHERE "shipments"."ready_since" is not null and "shipments"."driver_id" is null and "shipments"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `shipments_remembered` ON `shipments` (`ended_at`) WHERE "shipments"."ended_at" is not null and "shipments"."forgotten_at" is null;--> statement-breakpoint
CREATE INDEX `shipments_pending_approval` ON `shipments` (`created_at`,`id`) WHERE "shipments"."state" = 'PENDING_APPROVAL' and "shipments"."due_at" is null;--> statement-breakpoint
CREATE INDEX `shipments_address_blocked` ON `shipments` (`created_at`,`id`) WHERE "shipments"."address_gate" = 'CLOSED' and "shipments"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `shipments_unresolved` ON `shipments` (`created_at`,`id`) WHERE "shipments"."state" = 'DISPATCH_UNRESOLVED';--> statement-breakpoint
CREATE TABLE `sweep_marks` (
	`task` text PRIMARY KEY NOT NULL,
	`done_before` integer NOT NULL
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `later_charges_month` ON `later_charges` (`company_id`,`created_at`,`shipment_id`,`number`,`code`,`amount`);--> statement-breakpoint
CREATE TABLE `shipment_terms` (
	`shipment_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`tariff_version` integer NOT NULL,
	`currency` text NOT NULL,
	`lines` text NOT NULL,
	`vat_rate` text NOT NULL,
	`cancellation_amount` text NOT NULL,
	`cancellation_grace_seconds` integer,
	`late_cancellation_seconds` integer,
	`lock_seconds_max` integer,
	`amendment_free_meters` integer,
	`return_rate` text DEFAULT '1' NOT NULL,
	`redelivery_rate` text DEFAULT '1' NOT NULL,
	`distance_meters` integer NOT NULL,
	`duration_seconds` integer NOT NULL,
	`geometry` text NOT NULL,
	`created_at` integer NOT NULL,
	`lock_id` text,
	`locked_at` integer,
	`lock_expires_at` integer,
	`priced_distance_meters` integer,
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shipment_terms_lock` ON `shipment_terms` (`company_id`,`lock_id`) WHERE "shipment_terms"."lock_id" is not null;--> statement-breakpoint
CREATE INDEX `shipment_terms_month` ON `shipment_terms` (`company_id`,`created_at`,`shipment_id`,`vat_rate`,`lines`);--> statement-breakpoint
CREATE TABLE `tracking_brands` (
	`company_id` text PRIMARY KEY NOT NULL,
	`phone` text,
	`whats_app` text,
	`shows_contact` integer NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`logo_name` text,
	`logo_type` text,
	`logo_width` integer,
	`logo_height` integer,
	`logo` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tracking_brands_logo` ON `tracking_brands` (`logo_name`) WHERE "tracking_brands"."logo_name" is not null;--> statement-breakpoint
CREATE TABLE `tracking_links` (
	`id` text NOT NULL,
	`token_hash` text NOT NULL,
	`shipment_id` text NOT NULL,
	`company_id` text NOT NULL,
	`merchant_name` text NOT NULL,
	`locale` text,
	`label` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`view_count` integer NOT NULL,
	`last_viewed_at` integer,
	`version` integer NOT NULL,
	`sealed_token` text,
	`permissions` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`shipment_id`, `created_at`, `id`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tracking_links_locale" CHECK("tracking_links"."locale" in ('en', 'ar'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `tracking_links_token` ON `tracking_links` (`token_hash`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`company_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`exchange` text,
	PRIMARY KEY(`delivery_id`, `number`),
	CONSTRAINT "webhook_attempts_error" CHECK("webhook_attempts"."error" in ('TIMEOUT', 'DNS', 'TLS', 'CONNECT', 'NON_2XX', 'REDIRECT', 'BLOCKED_ADDRESS'))
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_exchanges` ON `webhook_attempts` (`started_at`) WHERE "webhook_attempts"."exchange" is not null;--> statement-breakpoint
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
	`pause_count` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`lease_token` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`replay_of` text,
	`replay_id` text,
	`only_attempt` text,
	`only_exchange` text,
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" in ('PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'SKIPPED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id` ON `webhook_deliveries` (`id`) WHERE "webhook_deliveries"."shipment_id" is null or "webhook_deliveries"."replay_of" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_endpoint` ON `webhook_deliveries` (`company_id`,`endpoint_id`,`event_type`,`created_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_shipment` ON `webhook_deliveries` (`shipment_id`,`created_at`) WHERE "webhook_deliveries"."shipment_id" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_replay` ON `webhook_deliveries` (`replay_id`) WHERE "webhook_deliveries"."replay_id" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed` ON `webhook_deliveries` (`company_id`,`status`,`created_at`) WHERE "webhook_deliveries"."status" = 'RETRYING' or "webhook_deliveries"."status" = 'EXHAUSTED' or "webhook_deliveries"."status" = 'SKIPPED';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`,`status`) WHERE "webhook_deliveries"."status" in ('PENDING', 'RETRYING');--> statement-breakpoint
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
	`paused_until` integer,
	`pause_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "webhook_endpoints_state" CHECK("webhook_endpoints"."state" in ('ENABLED', 'DISABLED', 'AUTO_DISABLED', 'DELETED'))
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_of_company` ON `webhook_endpoints` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_deleted` ON `webhook_endpoints` (`id`) WHERE "webhook_endpoints"."state" = 'DELETED';--> statement-breakpoint
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
	`cursor_at` integer NOT NULL,
	`cursor_position` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	CONSTRAINT "webhook_replays_state" CHECK("webhook_replays"."state" in ('RUNNING', 'COMPLETED', 'CANCELLED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_replays_running` ON `webhook_replays` (`endpoint_id`) WHERE "webhook_replays"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX `webhook_replays_completed` ON `webhook_replays` (`completed_at`);--> statement-breakpoint
CREATE VIEW `shipment_events` AS select shipment_id, step as sequence, id, company_id, type, previous_state, state, occurred_at, actor, reason_code, note, correlation_id from events where step is not null;
--> statement-breakpoint
CREATE TRIGGER company_settings_insert_moving BEFORE INSERT ON company_settings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER company_settings_update_moving BEFORE UPDATE ON company_settings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER company_settings_delete_moving BEFORE DELETE ON company_settings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER branches_insert_moving BEFORE INSERT ON branches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER branches_update_moving BEFORE UPDATE ON branches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER branches_delete_moving BEFORE DELETE ON branches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER pickup_locations_insert_moving BEFORE INSERT ON pickup_locations WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER pickup_locations_update_moving BEFORE UPDATE ON pickup_locations WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER pickup_locations_delete_moving BEFORE DELETE ON pickup_locations WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER drivers_insert_moving BEFORE INSERT ON drivers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER drivers_update_moving BEFORE UPDATE ON drivers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER drivers_delete_moving BEFORE DELETE ON drivers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER driver_sessions_insert_moving BEFORE INSERT ON driver_sessions WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM drivers WHERE id = NEW.driver_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER driver_sessions_update_moving BEFORE UPDATE ON driver_sessions WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM drivers WHERE id = OLD.driver_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER driver_sessions_delete_moving BEFORE DELETE ON driver_sessions WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM drivers WHERE id = OLD.driver_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandboxes_insert_moving BEFORE INSERT ON sandboxes WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandboxes_update_moving BEFORE UPDATE ON sandboxes WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandboxes_delete_moving BEFORE DELETE ON sandboxes WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandbox_faults_insert_moving BEFORE INSERT ON sandbox_faults WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandbox_faults_update_moving BEFORE UPDATE ON sandbox_faults WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandbox_faults_delete_moving BEFORE DELETE ON sandbox_faults WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipments_insert_moving BEFORE INSERT ON shipments WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipments_update_moving BEFORE UPDATE ON shipments WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipments_delete_moving BEFORE DELETE ON shipments WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_metadata_insert_moving BEFORE INSERT ON shipment_metadata WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_metadata_update_moving BEFORE UPDATE ON shipment_metadata WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_metadata_delete_moving BEFORE DELETE ON shipment_metadata WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_ratings_insert_moving BEFORE INSERT ON shipment_ratings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_ratings_update_moving BEFORE UPDATE ON shipment_ratings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_ratings_delete_moving BEFORE DELETE ON shipment_ratings WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER national_addresses_insert_moving BEFORE INSERT ON national_addresses WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER national_addresses_update_moving BEFORE UPDATE ON national_addresses WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER national_addresses_delete_moving BEFORE DELETE ON national_addresses WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_terms_insert_moving BEFORE INSERT ON shipment_terms WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_terms_update_moving BEFORE UPDATE ON shipment_terms WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_terms_delete_moving BEFORE DELETE ON shipment_terms WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER later_charges_insert_moving BEFORE INSERT ON later_charges WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER later_charges_update_moving BEFORE UPDATE ON later_charges WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER later_charges_delete_moving BEFORE DELETE ON later_charges WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_amendments_insert_moving BEFORE INSERT ON shipment_amendments WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_amendments_update_moving BEFORE UPDATE ON shipment_amendments WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_amendments_delete_moving BEFORE DELETE ON shipment_amendments WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER cod_collections_insert_moving BEFORE INSERT ON cod_collections WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER cod_collections_update_moving BEFORE UPDATE ON cod_collections WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER cod_collections_delete_moving BEFORE DELETE ON cod_collections WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER resolutions_insert_moving BEFORE INSERT ON resolutions WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER resolutions_update_moving BEFORE UPDATE ON resolutions WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER resolutions_delete_moving BEFORE DELETE ON resolutions WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER follow_ups_insert_moving BEFORE INSERT ON follow_ups WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER follow_ups_update_moving BEFORE UPDATE ON follow_ups WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER follow_ups_delete_moving BEFORE DELETE ON follow_ups WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER cases_insert_moving BEFORE INSERT ON cases WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER cases_update_moving BEFORE UPDATE ON cases WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER cases_delete_moving BEFORE DELETE ON cases WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER case_messages_insert_moving BEFORE INSERT ON case_messages WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER case_messages_update_moving BEFORE UPDATE ON case_messages WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER case_messages_delete_moving BEFORE DELETE ON case_messages WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER delivery_proofs_insert_moving BEFORE INSERT ON delivery_proofs WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER delivery_proofs_update_moving BEFORE UPDATE ON delivery_proofs WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER delivery_proofs_delete_moving BEFORE DELETE ON delivery_proofs WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER proof_progress_insert_moving BEFORE INSERT ON proof_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER proof_progress_update_moving BEFORE UPDATE ON proof_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER proof_progress_delete_moving BEFORE DELETE ON proof_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER proof_media_insert_moving BEFORE INSERT ON proof_media WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER proof_media_update_moving BEFORE UPDATE ON proof_media WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER proof_media_delete_moving BEFORE DELETE ON proof_media WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_replies_insert_moving BEFORE INSERT ON recipient_replies WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_replies_update_moving BEFORE UPDATE ON recipient_replies WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_replies_delete_moving BEFORE DELETE ON recipient_replies WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER offers_insert_moving BEFORE INSERT ON offers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = NEW.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER offers_update_moving BEFORE UPDATE ON offers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER offers_delete_moving BEFORE DELETE ON offers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER late_reports_insert_moving BEFORE INSERT ON late_reports WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER late_reports_update_moving BEFORE UPDATE ON late_reports WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER late_reports_delete_moving BEFORE DELETE ON late_reports WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_looks_insert_moving BEFORE INSERT ON recipient_looks WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = NEW.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_looks_update_moving BEFORE UPDATE ON recipient_looks WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER recipient_looks_delete_moving BEFORE DELETE ON recipient_looks WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandbox_scenarios_insert_moving BEFORE INSERT ON sandbox_scenarios WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandbox_scenarios_update_moving BEFORE UPDATE ON sandbox_scenarios WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER sandbox_scenarios_delete_moving BEFORE DELETE ON sandbox_scenarios WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_links_insert_moving BEFORE INSERT ON tracking_links WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_links_update_moving BEFORE UPDATE ON tracking_links WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_links_delete_moving BEFORE DELETE ON tracking_links WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_brands_insert_moving BEFORE INSERT ON tracking_brands WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_brands_update_moving BEFORE UPDATE ON tracking_brands WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER tracking_brands_delete_moving BEFORE DELETE ON tracking_brands WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER idempotency_records_insert_moving BEFORE INSERT ON idempotency_records WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER idempotency_records_update_moving BEFORE UPDATE ON idempotency_records WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER idempotency_records_delete_moving BEFORE DELETE ON idempotency_records WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER media_assets_insert_moving BEFORE INSERT ON media_assets WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER media_assets_update_moving BEFORE UPDATE ON media_assets WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER media_assets_delete_moving BEFORE DELETE ON media_assets WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER media_lists_insert_moving BEFORE INSERT ON media_lists WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER media_lists_update_moving BEFORE UPDATE ON media_lists WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER media_lists_delete_moving BEFORE DELETE ON media_lists WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER events_insert_moving BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER events_update_moving BEFORE UPDATE ON events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER events_delete_moving BEFORE DELETE ON events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_days_insert_moving BEFORE INSERT ON activity_days WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_days_update_moving BEFORE UPDATE ON activity_days WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_days_delete_moving BEFORE DELETE ON activity_days WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_progress_insert_moving BEFORE INSERT ON activity_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_progress_update_moving BEFORE UPDATE ON activity_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER activity_progress_delete_moving BEFORE DELETE ON activity_progress WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_insert_moving BEFORE INSERT ON webhook_endpoints WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_update_moving BEFORE UPDATE ON webhook_endpoints WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_delete_moving BEFORE DELETE ON webhook_endpoints WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_insert_moving BEFORE INSERT ON webhook_deliveries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_update_moving BEFORE UPDATE ON webhook_deliveries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_delete_moving BEFORE DELETE ON webhook_deliveries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_attempts_insert_moving BEFORE INSERT ON webhook_attempts WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_attempts_update_moving BEFORE UPDATE ON webhook_attempts WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_attempts_delete_moving BEFORE DELETE ON webhook_attempts WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_replays_insert_moving BEFORE INSERT ON webhook_replays WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_replays_update_moving BEFORE UPDATE ON webhook_replays WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_replays_delete_moving BEFORE DELETE ON webhook_replays WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batches_insert_moving BEFORE INSERT ON shipment_batches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batches_update_moving BEFORE UPDATE ON shipment_batches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batches_delete_moving BEFORE DELETE ON shipment_batches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batch_items_insert_moving BEFORE INSERT ON shipment_batch_items WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batch_items_update_moving BEFORE UPDATE ON shipment_batch_items WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_batch_items_delete_moving BEFORE DELETE ON shipment_batch_items WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_insert_moving BEFORE INSERT ON audit_entries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_update_moving BEFORE UPDATE ON audit_entries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_delete_moving BEFORE DELETE ON audit_entries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

ALTER TABLE `registrations` ADD `review` text;--> statement-breakpoint
ALTER TABLE `registrations` ADD `reviewed_by` text;--> statement-breakpoint
ALTER TABLE `registrations` ADD `review_reason` text;--> statement-breakpoint
ALTER TABLE `registrations` ADD `reviewed_at` integer;--> statement-breakpoint
ALTER TABLE `registrations` ADD `documents_until` integer;--> statement-breakpoint
CREATE INDEX `registrations_of_status` ON `registrations` (`review`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `registrations_documents_until` ON `registrations` (`documents_until`) WHERE "registrations"."documents_until" is not null;--> statement-breakpoint
-- Companies that exist count as approved.
UPDATE `registrations` SET `review` = 'APPROVED' WHERE `state` = 'COMPLETED';
ALTER TABLE `offers` ADD `pickup_arrival` text;--> statement-breakpoint
ALTER TABLE `offers` ADD `door_arrival` text;
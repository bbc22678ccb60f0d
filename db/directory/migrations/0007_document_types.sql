PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_registration_documents` (
	`registration_id` text NOT NULL,
	`document_type` text NOT NULL,
	`object_key` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`content_type` text NOT NULL,
	`display_name` text NOT NULL,
	`uploaded_at` integer NOT NULL,
	PRIMARY KEY(`registration_id`, `document_type`),
	FOREIGN KEY (`registration_id`) REFERENCES `registrations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "registration_documents_content_type" CHECK("__new_registration_documents"."content_type" in ('application/pdf', 'image/jpeg', 'image/png'))
);
--> statement-breakpoint
INSERT INTO `__new_registration_documents`("registration_id", "document_type", "object_key", "sha256", "size_bytes", "content_type", "display_name", "uploaded_at") SELECT "registration_id", "document_type", "object_key", "sha256", "size_bytes", "content_type", "display_name", "uploaded_at" FROM `registration_documents`;--> statement-breakpoint
DROP TABLE `registration_documents`;--> statement-breakpoint
ALTER TABLE `__new_registration_documents` RENAME TO `registration_documents`;--> statement-breakpoint
PRAGMA foreign_keys=ON;
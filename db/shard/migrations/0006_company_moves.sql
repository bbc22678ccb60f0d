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
CREATE TRIGGER shipment_events_insert_moving BEFORE INSERT ON shipment_events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_events_update_moving BEFORE UPDATE ON shipment_events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER shipment_events_delete_moving BEFORE DELETE ON shipment_events WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
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
CREATE TRIGGER dispatches_insert_moving BEFORE INSERT ON dispatches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER dispatches_update_moving BEFORE UPDATE ON dispatches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER dispatches_delete_moving BEFORE DELETE ON dispatches WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER offers_insert_moving BEFORE INSERT ON offers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = NEW.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER offers_update_moving BEFORE UPDATE ON offers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER offers_delete_moving BEFORE DELETE ON offers WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM shipments WHERE id = OLD.shipment_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
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
CREATE TRIGGER webhook_attempts_insert_moving BEFORE INSERT ON webhook_attempts WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM webhook_deliveries WHERE id = NEW.delivery_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_attempts_update_moving BEFORE UPDATE ON webhook_attempts WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM webhook_deliveries WHERE id = OLD.delivery_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_attempts_delete_moving BEFORE DELETE ON webhook_attempts WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = (SELECT company_id FROM webhook_deliveries WHERE id = OLD.delivery_id) AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_replays_insert_moving BEFORE INSERT ON webhook_replays WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_replays_update_moving BEFORE UPDATE ON webhook_replays WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER webhook_replays_delete_moving BEFORE DELETE ON webhook_replays WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_insert_moving BEFORE INSERT ON audit_entries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = NEW.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_update_moving BEFORE UPDATE ON audit_entries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_delete_moving BEFORE DELETE ON audit_entries WHEN EXISTS (SELECT 1 FROM company_moves WHERE company_id = OLD.company_id AND state IN ('FROZEN', 'MOVED')) BEGIN SELECT RAISE(ABORT, 'company is moving'); END;

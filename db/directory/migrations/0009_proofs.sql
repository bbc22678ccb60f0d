ALTER TABLE `sign_in_identifiers` ADD `shown_at` integer;--> statement-breakpoint
-- Before, a second factor did not count as a proof of what its code was sent to. The sessions that it raised tell which.
UPDATE `sign_in_identifiers` SET `proved_at` = (
  SELECT min(s.`created_at`) FROM `sessions` s JOIN `people` p ON p.`id` = s.`person_id`
  WHERE s.`person_id` = `sign_in_identifiers`.`person_id` AND s.`assurance` = 'AAL2'
    AND `sign_in_identifiers`.`identifier` = CASE s.`channel` WHEN 'SMS' THEN p.`email` ELSE p.`mobile` END
) WHERE `proved_at` IS NULL;

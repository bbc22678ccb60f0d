import { changed, leftOut, type PlantedBug, STANDING, whenever } from './bugs.ts';

const RESOLUTION = /^(insert into "resolutions" \(.*?\)) values (.*)$/;

const PIN = /"pin":"\d{4}"/;

/** Bugs of what happens at the door, and of what follows a failure there. */
export const DOOR_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a collection is a riyal short',
    rules: ['collected'],
    rewrite: (sql) =>
      sql.replace(
        /^(insert into "cod_collections" \(.*?\)) values (.*)$/,
        '$1 select column1, column2, column3 - 1, column4, column5, column6, column7, column8 from (values $2)',
      ),
  },
  {
    bug: 'a delivery is stored without its record',
    rules: ['proven'],
    rewrite: (sql) =>
      sql.replace(/^(insert into "delivery_proofs" \(.*?\)) values (.*)$/, '$1 select * from (values $2) where 0'),
  },
  {
    bug: 'wrong PINs are not limited',
    rules: ['proven'],
    rewrite: (sql) =>
      sql.startsWith('insert into "proof_progress"') ? sql.replace('"wrong_tries" < 5', '"wrong_tries" < 500') : sql,
  },
  {
    bug: 'a driver is told the PIN that was right',
    rules: ['silent'],
    distort: whenever(
      ({ name, body = '' }, { status }) => name === 'act' && status === 200 && PIN.test(body),
      (answer, { body = '' }) => ({ ...answer, text: `${answer.text.slice(0, -1)},${PIN.exec(body)?.[0]}}` }),
    ),
  },
  {
    bug: 'a complaint is owed an answer at the hour of its opening',
    rules: ['complaint'],
    rewrite: (sql) =>
      sql.replace(
        /^(insert into "cases" \(.*?\)) values (.*)$/,
        `$1 select column1, column2, column3, column4, column5, column6, column7, column8, column15 + 5 * 86400000000, column10, column11,
          column12, column13, column14, column15, column16, column17 from (values $2)`,
      ),
  },
  { bug: 'a loss opens no complaint', rules: ['complaint'], rewrite: leftOut('insert into "cases"') },
  {
    bug: 'the service decides an hour early',
    rules: ['resolved'],
    rewrite: (sql) =>
      changed(
        STANDING,
        'else moved.column7 end',
        `when moved.column4 = 'DELIVERY_FAILED' then moved.column7 - 3600000000 else moved.column7 end`,
      )(sql)?.replace(
        RESOLUTION,
        '$1 select column1, column2, column3, column4, column5, column6, column7, column8, column9 - 3600000000, column10, column11, column12, column13, column14 from (values $2)',
      ),
  },
  {
    bug: 'two choices of one resolution at once are both kept',
    rules: ['resolved'],
    // All other states come before OPEN.
    rewrite: changed('update "resolutions" set', '"resolutions"."state" = ?', '"resolutions"."state" <= ?'),
  },
  {
    bug: 'a follow-up forgets who has its parcel',
    rules: ['goods'],
    rewrite: (sql) =>
      sql.replace(
        /^(insert into "offers" \(.*?\)) values (.*)$/,
        `$1 select * from (values $2) where column4 <> 'ACCEPTED' or column2 not in (select shipment_id from follow_ups)`,
      ),
  },
  {
    bug: 'two returns at once take back more than was delivered',
    rules: ['returned'],
    rewrite: (sql) => sql.replace("wanted.value ->> 'quantity' >", "wanted.value ->> 'quantity' > 1000 +"),
  },
  {
    bug: 'the other one pays for a failure',
    rules: ['fault', 'unproven'],
    rewrite: (sql) =>
      sql.replace(
        RESOLUTION,
        `$1 select column1, column2, column3, column4, column5, iif(column6 = 'CARRIER', 'MERCHANT', 'CARRIER'), column7, column8, column9, column10,
          column11, column12, column13, column14 from (values $2)`,
      ),
  },
  {
    bug: 'a return that fails is billed again',
    rules: ['fault', 'unproven'],
    rewrite: (sql) =>
      sql.replace(
        RESOLUTION,
        `$1 select column1, column2, column3, column4, column5,
          iif(column1 in (select shipment_id from follow_ups where kind = 'RETURN'), 'MERCHANT', column6), column7, column8, column9, column10,
          column11, column12, column13, column14 from (values $2)`,
      ),
  },
  {
    bug: 'a loss credits its last shipment only',
    rules: ['exact'],
    rewrite: (sql) => sql.replace('f.shipment_id = leg.id and', 'f.shipment_id = leg.id and 0 and'),
  },
  {
    bug: 'the merchant pays for an attempt that nothing proves',
    // The table of payers may notice it first.
    rules: ['unproven', 'fault'],
    rewrite: (sql) =>
      sql.replace(
        RESOLUTION,
        `$1 select column1, column2, column3, column4, column5, iif(column4 = 'RECIPIENT_UNREACHABLE', 'MERCHANT', column6), column7, column8, column9,
          column10, column11, column12, column13, column14 from (values $2)`,
      ),
  },
  {
    bug: 'a return costs more than the way there',
    rules: ['fault'],
    rewrite: changed(
      'insert into "shipment_terms"',
      '(?, ?, ?, ?, ?,',
      `(?, ?, ?, ?, replace(?, '"RETURN","amount":"', '"RETURN","amount":"9'),`,
    ),
  },
];

-- What a start and `npm run schema` remember: the definitions that the tables have followed, so that an older program can tell
-- that it is one, and the rules that rows from before the rules break, so that only new mistakes stop a start.
CREATE TABLE schema_past (
  hash varchar(64) PRIMARY KEY,
  "time" timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE schema_open (
  rule varchar(130) PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);

-- A part of a table has the CHECKs of the table, or it could not become one.
CREATE OR REPLACE FUNCTION make_partition(parent text, month timestamp) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || to_char(month, '_YYYYMM');
  rest text := parent || '_rest';
  starts timestamptz := month AT TIME ZONE 'Asia/Shanghai';
  ends timestamptz := (month + interval '1 month') AT TIME ZONE 'Asia/Shanghai';
BEGIN
  IF EXISTS (SELECT FROM partitions_of(parent) p WHERE p.lower < ends AND p.upper > starts) THEN
    RETURN false;
  END IF;
  -- Writers wait meanwhile at the table itself and then find the partition; at the rest they would be refused.
  EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', parent);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE "createTime" >= %L AND "createTime" < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', rest, starts, ends, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, starts, ends);
  RETURN true;
END $$;

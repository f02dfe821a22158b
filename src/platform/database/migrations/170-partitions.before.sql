-- Tables cut by month of "createTime", as definitions ask for: one partition for each month of Asia/Shanghai, and one, called
-- `…_rest`, that takes what has none, so that no row is ever refused. Whole months are dropped, not emptied.

-- The partitions of a table with their bounds; -infinity for the one that holds what was there before the table was cut.
CREATE FUNCTION partitions_of(parent text) RETURNS TABLE (name text, lower timestamptz, upper timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, coalesce(substring(b.text FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
    substring(b.text FROM 'TO \(''([^'']+)''\)')::timestamptz
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS text) b
  WHERE i.inhparent = to_regclass(quote_ident(parent)) AND b.text <> 'DEFAULT'
$$;

-- The month a moment lies in, as our clocks show it.
CREATE FUNCTION month_of(at timestamptz) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$
  SELECT date_trunc('month', at AT TIME ZONE 'Asia/Shanghai')
$$;

-- Makes the partition of a month unless the month has one; rows of it that were waiting among the rest move there.
CREATE FUNCTION make_partition(parent text, month timestamp) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || to_char(month, '_YYYYMM');
  rest text := parent || '_rest';
  starts timestamptz := month AT TIME ZONE 'Asia/Shanghai';
  ends timestamptz := (month + interval '1 month') AT TIME ZONE 'Asia/Shanghai';
BEGIN
  IF EXISTS (SELECT FROM partitions_of(parent) p WHERE p.lower < ends AND p.upper > starts) THEN
    RETURN false;
  END IF;
  -- Who writes meanwhile waits at the table itself and then finds the partition; at the rest he would be refused.
  EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', parent);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS)', name, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE "createTime" >= %L AND "createTime" < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', rest, starts, ends, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, starts, ends);
  RETURN true;
END $$;

-- Makes the partitions of a month and of some that follow, and of every month that has rows among the rest.
CREATE FUNCTION keep_partitions(parent text, at timestamptz, ahead integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  month timestamp;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(parent, 8131));
  FOR month IN EXECUTE format(
    'SELECT generate_series(month_of($1), month_of($1) + make_interval(months => $2), interval ''1 month'')
     UNION SELECT month_of("createTime") FROM %I ORDER BY 1', parent || '_rest') USING at, ahead
  LOOP
    made := made + make_partition(parent, month)::integer;
  END LOOP;
  RETURN made;
END $$;

-- Drops the partitions all of whose rows are older than a moment. Answers their names.
CREATE FUNCTION end_partitions(parent text, before timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  old text[] := ARRAY(SELECT p.name FROM partitions_of(parent) p WHERE p.upper <= before ORDER BY p.lower);
  one text;
BEGIN
  FOREACH one IN ARRAY old LOOP
    EXECUTE format('DROP TABLE %I', one);
  END LOOP;
  -- A dropped partition tells nobody that there are fewer rows: an empty deletion does.
  IF old <> '{}' THEN
    EXECUTE format('DELETE FROM %I WHERE false', parent);
  END IF;
  RETURN old;
END $$;

-- Cuts a table by month. What it holds stays where it is and becomes the partition of everything up to this month.
CREATE FUNCTION cut_by_month(parent text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before text := parent || '_before';
  one record;
  newest timestamptz;
BEGIN
  EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, before);
  FOR one IN SELECT conname FROM pg_constraint WHERE conrelid = to_regclass(quote_ident(before)) AND contype IN ('p', 'u') LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', before, one.conname);
  END LOOP;
  FOR one IN SELECT indexrelid::regclass AS name FROM pg_index WHERE indrelid = to_regclass(quote_ident(before)) LOOP
    EXECUTE format('DROP INDEX %s', one.name);
  END LOOP;
  EXECUTE format('DROP TRIGGER IF EXISTS t_count_change ON %I', before);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS, PRIMARY KEY (id, "createTime"))
    PARTITION BY RANGE ("createTime")', parent, before);
  EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', parent || '_rest', parent);
  EXECUTE format('SELECT max("createTime") FROM %I', before) INTO newest;
  IF newest IS NULL THEN
    EXECUTE format('DROP TABLE %I', before);
  ELSE
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, before,
      (month_of(greatest(newest, now())) + interval '1 month') AT TIME ZONE 'Asia/Shanghai');
  END IF;
  PERFORM keep_partitions(parent, now(), 2);
END $$;

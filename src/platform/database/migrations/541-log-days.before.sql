-- Parts of a table that is cut by month may be shorter: a month in which very much is written ends at midnight, and days follow until they
-- are small again.

-- Makes the part from one midnight to another, as our clocks show them; rows that were waiting among the rest move there.
CREATE FUNCTION make_part(parent text, first timestamp, last timestamp) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  whole boolean := first = date_trunc('month', first) AND last = first + interval '1 month';
  name text := parent || to_char(first, CASE WHEN whole THEN '_YYYYMM' ELSE '_YYYYMMDD' END);
  rest text := parent || '_rest';
  starts timestamptz := first AT TIME ZONE 'Asia/Shanghai';
  ends timestamptz := last AT TIME ZONE 'Asia/Shanghai';
BEGIN
  -- Writers wait meanwhile at the table itself and then find the part; at the rest they would be refused.
  EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', parent);
  -- A part has the CHECKs of the table, or it could not become one.
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE "createTime" >= %L AND "createTime" < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', rest, starts, ends, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, starts, ends);
END $$;

-- Makes what is missing of a month and of some that follow, and of every month that has rows among the rest.
CREATE OR REPLACE FUNCTION keep_partitions(parent text, at timestamptz, ahead integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  month timestamp;
  next timestamp;
  part record;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(parent, 8131));
  FOR month IN EXECUTE format(
    'SELECT generate_series(month_of($1), month_of($1) + make_interval(months => $2), interval ''1 month'')
     UNION SELECT month_of("createTime") FROM %I ORDER BY 1', parent || '_rest') USING at, ahead
  LOOP
    next := month;
    FOR part IN SELECT p.lower AT TIME ZONE 'Asia/Shanghai' AS first, p.upper AT TIME ZONE 'Asia/Shanghai' AS last
      FROM partitions_of(parent) p WHERE p.upper > month AT TIME ZONE 'Asia/Shanghai'
        AND p.lower < (month + interval '1 month') AT TIME ZONE 'Asia/Shanghai' ORDER BY p.lower
    LOOP
      IF part.first > next THEN
        PERFORM make_part(parent, next, part.first);
        made := made + 1;
      END IF;
      next := greatest(next, part.last);
    END LOOP;
    IF next < month + interval '1 month' THEN
      PERFORM make_part(parent, next, month + interval '1 month');
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$;

DROP FUNCTION make_partition(text, timestamp);

-- While the part that is written is larger than so many bytes, or a day larger than a thirty-first of that, lets the part end at
-- the next midnight and makes the three days behind it. Rows of later days that it holds already move to theirs.
CREATE FUNCTION keep_days(parent text, at timestamptz, most bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  midnight timestamptz := (date_trunc('day', at AT TIME ZONE 'Asia/Shanghai') + interval '1 day') AT TIME ZONE 'Asia/Shanghai';
  part record;
  starts timestamptz;
  used boolean;
  made integer := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM partitions_of(parent) p WHERE p.lower <= at AND p.upper > at - interval '1 day'
    AND pg_total_relation_size(to_regclass(quote_ident(p.name))) >
      CASE WHEN p.lower < p.upper - interval '25 hours' THEN most ELSE most / 31 END)
  THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(parent, 8131));
  -- From here on nobody adds a row to a part that is found empty.
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
  FOR part IN SELECT * FROM partitions_of(parent) p WHERE p.upper > midnight AND p.lower < midnight + interval '3 days'
    AND p.lower < p.upper - interval '25 hours' ORDER BY p.lower
  LOOP
    IF part.lower < midnight THEN
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, part.name);
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE "createTime" >= %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
        part.name, midnight, parent || '_rest');
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)', parent, part.name,
        CASE WHEN part.lower = '-infinity' THEN 'MINVALUE' ELSE quote_literal(part.lower) END, midnight);
    ELSE
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', part.name) INTO used;
      IF NOT used THEN
        EXECUTE format('DROP TABLE %I', part.name);
      END IF;
    END IF;
  END LOOP;
  FOR starts IN SELECT midnight + n * interval '24 hours' FROM generate_series(0, 2) n LOOP
    IF NOT EXISTS (SELECT FROM partitions_of(parent) p WHERE p.lower < starts + interval '24 hours' AND p.upper > starts) THEN
      PERFORM make_part(parent, starts AT TIME ZONE 'Asia/Shanghai', (starts + interval '24 hours') AT TIME ZONE 'Asia/Shanghai');
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$;

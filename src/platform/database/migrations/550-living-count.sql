-- How many rows of each tenant are not removed. Every connection keeps its share in rows of its own, as in change_count: exact for
-- whatever a transaction sees, without two writers ever waiting for one another.
CREATE TABLE living_count (
  "table" varchar(63) NOT NULL,
  "tenantId" text NOT NULL,
  pid integer NOT NULL,
  living bigint NOT NULL,
  PRIMARY KEY ("table", "tenantId", pid)
) WITH (fillfactor = 50);

-- Tables whose living rows were counted once; from then on the shares of the triggers are the number.
CREATE TABLE counted_table ("table" varchar(63) PRIMARY KEY);

CREATE FUNCTION count_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO living_count AS c ("table", "tenantId", pid, living)
    SELECT TG_TABLE_NAME, coalesce("tenantId", ''), pg_backend_pid(), count(*) FROM rows_after WHERE "isDeleted" = 0 GROUP BY 2
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET living = c.living + excluded.living;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO living_count AS c ("table", "tenantId", pid, living)
    SELECT TG_TABLE_NAME, whose, pg_backend_pid(), sum(n) FROM (
      SELECT coalesce("tenantId", '') AS whose, 1 AS n FROM rows_after WHERE "isDeleted" = 0
      UNION ALL SELECT coalesce("tenantId", ''), -1 FROM rows_before WHERE "isDeleted" = 0) r
    GROUP BY whose HAVING sum(n) <> 0
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET living = c.living + excluded.living;
  RETURN NULL;
END $$;

CREATE FUNCTION count_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO living_count AS c ("table", "tenantId", pid, living)
    SELECT TG_TABLE_NAME, coalesce("tenantId", ''), pg_backend_pid(), -count(*) FROM rows_before WHERE "isDeleted" = 0 GROUP BY 2
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET living = c.living + excluded.living;
  RETURN NULL;
END $$;

CREATE FUNCTION count_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO living_count AS c ("table", "tenantId", pid, living)
    SELECT TG_TABLE_NAME, "tenantId", pg_backend_pid(), -sum(living) FROM living_count WHERE "table" = TG_TABLE_NAME GROUP BY "tenantId"
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET living = c.living + excluded.living;
  RETURN NULL;
END $$;

-- Puts the counting on every table of an entity that does not have it yet: of changes on all, of rows on those with tenants that are
-- not cut into partitions, which lose parts as a whole.
CREATE OR REPLACE FUNCTION count_changes() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one record;
  added integer := 0;
BEGIN
  FOR one IN
    SELECT c.relname,
      NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 't_count_change') AS changes,
      c.relkind = 'r' AND EXISTS (SELECT 1 FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'tenantId')
        AND NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 't_count_added') AS rows
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'isDeleted'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  LOOP
    IF one.changes THEN
      EXECUTE format('CREATE TRIGGER t_count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION count_change()', one.relname);
    END IF;
    IF one.rows THEN
      -- A table of this name that is gone may have been counted.
      DELETE FROM counted_table WHERE "table" = one.relname;
      EXECUTE format('CREATE TRIGGER t_count_added AFTER INSERT ON %I REFERENCING NEW TABLE AS rows_after
        FOR EACH STATEMENT EXECUTE FUNCTION count_added()', one.relname);
      EXECUTE format('CREATE TRIGGER t_count_changed AFTER UPDATE ON %I REFERENCING OLD TABLE AS rows_before
        NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_changed()', one.relname);
      EXECUTE format('CREATE TRIGGER t_count_gone AFTER DELETE ON %I REFERENCING OLD TABLE AS rows_before
        FOR EACH STATEMENT EXECUTE FUNCTION count_gone()', one.relname);
      EXECUTE format('CREATE TRIGGER t_count_emptied AFTER TRUNCATE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION count_emptied()', one.relname);
    END IF;
    added := added + (one.changes OR one.rows)::integer;
  END LOOP;
  RETURN added;
END $$;

-- The tables whose rows were not counted since their triggers are there. To count a table anew, remove it from counted_table.
CREATE FUNCTION uncounted_tables() RETURNS SETOF name LANGUAGE sql STABLE AS $$
  SELECT c.relname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
  WHERE g.tgname = 't_count_added' AND c.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM counted_table k WHERE k."table" = c.relname) ORDER BY 1
$$;

-- Counts the living rows of a table. What its triggers have counted meanwhile is part of the same snapshot, so nobody is kept from
-- writing.
CREATE FUNCTION count_living(one name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counted_table VALUES (one) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  EXECUTE format('INSERT INTO living_count AS c ("table", "tenantId", pid, living)
    SELECT %1$L, whose, 0, sum(n) FROM (
      SELECT coalesce("tenantId", '''') AS whose, count(*) AS n FROM %1$I WHERE "isDeleted" = 0 GROUP BY 1
      UNION ALL SELECT "tenantId", -living FROM living_count WHERE "table" = %1$L) r
    GROUP BY whose HAVING sum(n) <> 0
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET living = c.living + excluded.living', one);
END $$;

SELECT count_changes();

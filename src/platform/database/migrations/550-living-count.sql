-- How many rows of each tenant are not removed, kept beside how often they were changed, by the same rows of every connection:
-- exact for whatever a transaction sees, without two writers ever waiting for one another.
ALTER TABLE change_count ADD COLUMN "tenantId" text NOT NULL DEFAULT '', ADD COLUMN living bigint NOT NULL DEFAULT 0;
ALTER TABLE change_count DROP CONSTRAINT change_count_pkey, ADD PRIMARY KEY ("table", "tenantId", pid);

-- Tables whose living rows were counted once; from then on the counts of their triggers are the number.
CREATE TABLE counted_table ("table" varchar(63) PRIMARY KEY);

-- Tables cut into partitions, which lose parts as a whole: their changes are counted, their rows are not.
CREATE OR REPLACE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_count AS c ("table", "tenantId", pid, count) VALUES (TG_TABLE_NAME, '', pg_backend_pid(), 1)
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET count = c.count + 1;
  RETURN NULL;
END $$;

CREATE FUNCTION count_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_count AS c ("table", "tenantId", pid, count, living)
    SELECT TG_TABLE_NAME, coalesce("tenantId", ''), pg_backend_pid(), 1, count(*) FILTER (WHERE "isDeleted" = 0)
    FROM rows_after GROUP BY 2
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET count = c.count + 1, living = c.living + excluded.living;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_count AS c ("table", "tenantId", pid, count, living)
    SELECT TG_TABLE_NAME, whose, pg_backend_pid(), 1, sum(n) FROM (
      SELECT coalesce("tenantId", '') AS whose, ("isDeleted" = 0)::int AS n FROM rows_after
      UNION ALL SELECT coalesce("tenantId", ''), -("isDeleted" = 0)::int FROM rows_before) r
    GROUP BY whose
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET count = c.count + 1, living = c.living + excluded.living;
  RETURN NULL;
END $$;

CREATE FUNCTION count_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_count AS c ("table", "tenantId", pid, count, living)
    SELECT TG_TABLE_NAME, coalesce("tenantId", ''), pg_backend_pid(), 1, -count(*) FILTER (WHERE "isDeleted" = 0)
    FROM rows_before GROUP BY 2
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET count = c.count + 1, living = c.living + excluded.living;
  RETURN NULL;
END $$;

CREATE FUNCTION count_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_count AS c ("table", "tenantId", pid, count, living)
    SELECT TG_TABLE_NAME, "tenantId", pg_backend_pid(), 1, -sum(living) FROM change_count
    WHERE "table" = TG_TABLE_NAME GROUP BY "tenantId"
    ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET count = c.count + 1, living = c.living + excluded.living;
  RETURN NULL;
END $$;

-- Puts the counting on every table of an entity that does not have it yet.
CREATE OR REPLACE FUNCTION count_changes() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one record;
  added integer := 0;
BEGIN
  FOR one IN
    SELECT c.relname, c.relkind = 'r' AND EXISTS (
        SELECT 1 FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'tenantId') AS "isCounted"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'isDeleted'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname IN ('t_count_change', 't_count_added'))
  LOOP
    IF one."isCounted" THEN
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
    ELSE
      EXECUTE format('CREATE TRIGGER t_count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION count_change()', one.relname);
    END IF;
    added := added + 1;
  END LOOP;
  RETURN added;
END $$;

-- Counts the living rows of tables that were not counted since their triggers are there. What the triggers have counted
-- meanwhile is part of the same snapshot, so nobody is kept from writing. To count a table anew, remove it from counted_table.
CREATE FUNCTION count_living() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one name;
  counted integer := 0;
BEGIN
  FOR one IN
    SELECT c.relname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
    WHERE g.tgname = 't_count_added' AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM counted_table k WHERE k."table" = c.relname) ORDER BY 1
  LOOP
    INSERT INTO counted_table VALUES (one) ON CONFLICT DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    EXECUTE format('INSERT INTO change_count AS c ("table", "tenantId", pid, count, living)
      SELECT %1$L, whose, 0, 1, sum(n) FROM (
        SELECT coalesce("tenantId", '''') AS whose, count(*) AS n FROM %1$I WHERE "isDeleted" = 0 GROUP BY 1
        UNION ALL SELECT "tenantId", -living FROM change_count WHERE "table" = %1$L) r
      GROUP BY whose HAVING sum(n) <> 0
      ON CONFLICT ("table", "tenantId", pid) DO UPDATE SET count = c.count + 1, living = c.living + excluded.living', one);
    counted := counted + 1;
  END LOOP;
  RETURN counted;
END $$;

DO $$
DECLARE
  one name;
BEGIN
  FOR one IN SELECT c.relname FROM pg_class c JOIN pg_trigger g ON g.tgrelid = c.oid AND g.tgname = 't_count_change'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
  LOOP
    EXECUTE format('DROP TRIGGER t_count_change ON %I', one);
  END LOOP;
END $$;

SELECT count_changes();

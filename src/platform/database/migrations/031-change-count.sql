-- How often each table was changed, so that a list can tell whether a total it remembers still holds. Every connection
-- counts in a row of its own: writers never wait for one another, and the sum moves exactly when a change is committed.
CREATE TABLE change_count (
  "table" varchar(63) NOT NULL,
  pid integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY ("table", pid)
) WITH (fillfactor = 50);

CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_count ("table", pid, count) VALUES (TG_TABLE_NAME, pg_backend_pid(), 1)
    ON CONFLICT ("table", pid) DO UPDATE SET count = change_count.count + 1;
  RETURN NULL;
END $$;

-- Puts the counting on every table of an entity that does not have it yet.
CREATE FUNCTION count_changes() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one record;
  added integer := 0;
BEGIN
  FOR one IN
    SELECT c.oid, c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'isDeleted'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 't_count_change')
  LOOP
    EXECUTE format('CREATE TRIGGER t_count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION count_change()', one.relname);
    added := added + 1;
  END LOOP;
  RETURN added;
END $$;

SELECT count_changes();

-- Changes of a table that is cut into partitions are counted under its own name, not under those of the parts.
CREATE OR REPLACE FUNCTION count_changes() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one record;
  added integer := 0;
BEGIN
  FOR one IN
    SELECT c.oid, c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'isDeleted'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 't_count_change')
  LOOP
    EXECUTE format('CREATE TRIGGER t_count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION count_change()', one.relname);
    added := added + 1;
  END LOOP;
  RETURN added;
END $$;

DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT c.relname FROM pg_class c JOIN pg_trigger g ON g.tgrelid = c.oid AND g.tgname = 't_count_change'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relispartition
  LOOP
    EXECUTE format('DROP TRIGGER t_count_change ON %I', one.relname);
  END LOOP;
END $$;

SELECT count_changes();

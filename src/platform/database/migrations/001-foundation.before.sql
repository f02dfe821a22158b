-- Ids of all rows: milliseconds since 2010-11-04 in the upper bits, a number from a sequence in the lower 22.
-- 19 digits until 2079, ascending, the same from every process; unique because the sequence is.
CREATE SEQUENCE id_sequence CACHE 1;

CREATE FUNCTION next_id() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1288834974657) << 22 | (nextval('id_sequence') & 4194303)
$$;

CREATE TABLE secret (
  name varchar(40) NOT NULL,
  version integer NOT NULL,
  value text NOT NULL,
  "createTime" timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
);

-- Text search by part; a PostgreSQL without the extension serves all the same, more slowly.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not available';
END $$;

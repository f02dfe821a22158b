-- What was written stays as it is, whoever asks; except that the content of an entry may go as a whole, with its salt, for the entry
-- that says so.
CREATE OR REPLACE FUNCTION auditlog_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.salt IS NOT NULL AND NEW.salt IS NULL AND NEW.detail IS NULL AND NEW."cutBy" > OLD.seq AND OLD.event <> 'purge'
      AND to_jsonb(NEW) - '{salt,detail,cutBy}'::text[] = to_jsonb(OLD) - '{salt,detail,cutBy}'::text[]
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'auditlog is append-only';
END $$;

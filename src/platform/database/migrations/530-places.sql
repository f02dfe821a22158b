-- Sign-ups counted by position, and by exam under the code '': handed in, passed, and those that take a place. A row moves
-- when a transaction is committed that has changed a sign-up, and decides there whether there was a place left.
CREATE TABLE place_count (
  "examId" bigint NOT NULL,
  code varchar(30) NOT NULL,
  signed integer NOT NULL DEFAULT 0,
  passed integer NOT NULL DEFAULT 0,
  taken integer NOT NULL DEFAULT 0,
  PRIMARY KEY ("examId", code)
) WITH (fillfactor = 50);

-- By how much a transaction that is not committed yet will move the counts. Nobody sees the rows of another: they are gone
-- when it is committed.
CREATE TABLE place_move (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "transaction" xid8 NOT NULL DEFAULT pg_current_xact_id(),
  "examId" bigint NOT NULL,
  code varchar(30) NOT NULL,
  signed integer NOT NULL DEFAULT 0,
  passed integer NOT NULL DEFAULT 0,
  taken integer NOT NULL DEFAULT 0,
  -- A place is wanted: the limits hold. False for who falls back to the position chosen first.
  asks boolean NOT NULL DEFAULT false,
  -- What is looked at again: 1 that the exam is released and the position there, 2 also that it may be chosen.
  look smallint NOT NULL DEFAULT 0
);
CREATE INDEX place_move_transaction ON place_move ("transaction");

-- The code at which a sign-up counts: the second choice from the moment it was chosen after a reduction (states 2 and 3).
CREATE FUNCTION place_at(reduce integer, code varchar, code2 varchar) RETURNS varchar LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN reduce IN (2, 3) THEN coalesce(code2, code) ELSE code END $$;

-- The counts as the rows say, of one exam or of all. In one statement with place_count both are of the same moment.
CREATE FUNCTION place_rows(exam bigint) RETURNS TABLE ("examId" bigint, code varchar, signed integer, passed integer, taken integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT s."examId", coalesce(s.at, '')::varchar, count(*)::integer, (count(*) FILTER (WHERE s.examine = 1))::integer,
      (count(*) FILTER (WHERE s.examine IN (0, 1, 3)))::integer
    FROM (SELECT "examId", examine, place_at("reduceState"::integer, code, code2) AS at FROM signup
      WHERE "signStatus" = 1 AND "isDeleted" = 0 AND (exam IS NULL OR "examId" = exam)) s
    GROUP BY GROUPING SETS ((s."examId", s.at), (s."examId"))
    HAVING grouping(s.at) = 1 OR s.at <> '';
END $$;

-- Notes what a change of a sign-up means for the counts. The columns are compared here and not in the trigger's WHEN, so that
-- their types may still be changed.
CREATE FUNCTION place_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was boolean := false;
  stays boolean := false;
  had boolean := false;
  has boolean := false;
  old_at varchar;
  new_at varchar;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD."examId", OLD.code, OLD.code2, OLD."signStatus", OLD.examine, OLD."reduceState", OLD."isDeleted")
    IS NOT DISTINCT FROM (NEW."examId", NEW.code, NEW.code2, NEW."signStatus", NEW.examine, NEW."reduceState", NEW."isDeleted") THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    was := OLD."signStatus" = 1 AND OLD."isDeleted" = 0;
    had := was AND OLD.examine IN (0, 1, 3);
    old_at := place_at(OLD."reduceState"::integer, OLD.code, OLD.code2);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    stays := NEW."signStatus" = 1 AND NEW."isDeleted" = 0;
    has := stays AND NEW.examine IN (0, 1, 3);
    new_at := place_at(NEW."reduceState"::integer, NEW.code, NEW.code2);
  END IF;
  IF was AND stays AND OLD."examId" = NEW."examId" AND old_at = new_at AND OLD.examine = NEW.examine THEN
    RETURN NULL;
  END IF;
  IF was THEN
    INSERT INTO place_move ("examId", code, signed, passed, taken)
    VALUES (OLD."examId", old_at, -1, CASE WHEN OLD.examine = 1 THEN -1 ELSE 0 END, CASE WHEN had THEN -1 ELSE 0 END);
  END IF;
  IF stays THEN
    INSERT INTO place_move ("examId", code, signed, passed, taken, asks)
    VALUES (NEW."examId", new_at, 1, CASE WHEN NEW.examine = 1 THEN 1 ELSE 0 END, CASE WHEN has THEN 1 ELSE 0 END,
      has AND NOT (had AND OLD."reduceState" IN (2, 3) AND new_at = OLD.code));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER t_place_follow AFTER INSERT OR UPDATE OR DELETE ON signup FOR EACH ROW EXECUTE FUNCTION place_follow();

-- A change of what bounds the places waits for those that are being taken, and those that come later meet it.
CREATE FUNCTION place_bounds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'examination' THEN
    IF (OLD."maxSignup", OLD."examStatus", OLD."isDeleted") IS DISTINCT FROM (NEW."maxSignup", NEW."examStatus", NEW."isDeleted") THEN
      INSERT INTO place_move ("examId", code) VALUES (NEW.id, '');
    END IF;
  ELSIF (OLD."maxSignup", OLD.enable, OLD."postStatus", OLD."isDeleted", OLD.code)
    IS DISTINCT FROM (NEW."maxSignup", NEW.enable, NEW."postStatus", NEW."isDeleted", NEW.code) THEN
    INSERT INTO place_move ("examId", code) VALUES (OLD."examId", OLD.code);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER t_place_bounds AFTER UPDATE ON examination FOR EACH ROW EXECUTE FUNCTION place_bounds();
CREATE TRIGGER t_place_bounds AFTER UPDATE ON examitems FOR EACH ROW EXECUTE FUNCTION place_bounds();

-- Moves the counts by all that the transaction has changed, in the order in which everybody moves them, and judges with what is
-- committed by then. It runs at the commit: whoever waits for a count waits for a commit only. Its errors have the code JX001.
CREATE FUNCTION place_settle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  move record;
  stands integer;
  bounds record;
BEGIN
  -- The first row of a transaction has settled all of them.
  PERFORM 1 FROM place_move WHERE id = NEW.id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  FOR move IN
    WITH moves AS (DELETE FROM place_move WHERE "transaction" = pg_current_xact_id() RETURNING *)
    SELECT "examId", coalesce(code, '') AS code, grouping(code) = 1 AS whole, sum(signed)::integer AS signed,
      sum(passed)::integer AS passed, sum(taken)::integer AS taken, bool_or(asks) AS asks, max(look) AS look,
      bool_or(code = '') AS bounded
    FROM moves GROUP BY GROUPING SETS (("examId", code), ("examId"))
    HAVING grouping(code) = 1 OR code <> ''
    ORDER BY "examId", grouping(code), code
  LOOP
    CONTINUE WHEN move.whole AND move.look = 0 AND NOT move.bounded
      AND move.signed = 0 AND move.passed = 0 AND move.taken = 0;
    INSERT INTO place_count AS c ("examId", code, signed, passed, taken)
    VALUES (move."examId", move.code, move.signed, move.passed, move.taken)
    ON CONFLICT ("examId", code) DO UPDATE SET signed = c.signed + excluded.signed, passed = c.passed + excluded.passed,
      taken = c.taken + excluded.taken
    RETURNING taken INTO stands;
    CONTINUE WHEN move.look = 0 AND NOT (move.asks AND move.taken > 0);
    IF move.whole THEN
      SELECT "maxSignup" AS most, "examStatus" = 1 AND "isDeleted" = 0 AS open INTO bounds
      FROM examination WHERE id = move."examId";
      IF move.look > 0 AND bounds.open IS NOT TRUE THEN
        RAISE EXCEPTION 'the exam takes no sign-ups' USING ERRCODE = 'JX001', CONSTRAINT = 'place_exam';
      END IF;
    ELSE
      SELECT "maxSignup" AS most, "postStatus" <> 3 AND (move.look < 2 OR enable = 1) AS open INTO bounds
      FROM examitems WHERE "examId" = move."examId" AND code = move.code AND "isDeleted" = 0;
      IF move.look > 0 AND bounds.open IS NOT TRUE THEN
        RAISE EXCEPTION 'the position takes no sign-ups' USING ERRCODE = 'JX001', CONSTRAINT = 'place_position';
      END IF;
    END IF;
    IF move.asks AND move.taken > 0 AND bounds.most > 0 AND stands > bounds.most THEN
      RAISE EXCEPTION 'no place is left' USING ERRCODE = 'JX001', CONSTRAINT = 'place_full';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER t_place_settle AFTER INSERT ON place_move DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION place_settle();

INSERT INTO place_count SELECT * FROM place_rows(NULL);

-- Nobody counts by it any more.
DROP INDEX IF EXISTS signup_places;

-- Digits of the sign-up numbers of an exam, which stay as they are when its first one was given.
ALTER TABLE sign_serial ADD COLUMN width smallint NOT NULL DEFAULT 6;

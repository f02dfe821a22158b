-- Counts an attempt at proving who somebody is as a wrong one before it is looked at, unless one has to wait. Whoever is right has
-- his counts removed afterwards. So no transaction and no lock lasts as long as the looking does, and many attempts that are sent
-- together are as many guesses as if they were sent in a row.
-- keys, free: what is counted, and how many wrong ones of it cost no wait; always in the same order for one account.
-- spared: the key whose wait does not hold for administrators; roles: those of the account.
-- waits: until when one has to wait, NULL when the attempt is counted; fails: the attempts so far; locked: until when whoever comes
-- next has to wait if this one is wrong.
CREATE FUNCTION count_attempt(keys text[], free integer[], spared text, roles bigint[], at timestamptz, memory interval, longest integer,
  OUT waits timestamptz, OUT fails integer, OUT locked timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  one throttle;
  counts integer[] := '{}';
  ends timestamptz;
BEGIN
  fails := 0;
  FOR i IN 1 .. cardinality(keys) LOOP
    INSERT INTO throttle AS t (key, count, until) VALUES (keys[i], 0, at + memory)
      ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING * INTO one;
    IF one.until <= at THEN
      one.count := 0;
      one."waitUntil" := NULL;
    END IF;
    counts := counts || one.count;
    IF one."waitUntil" > at AND NOT (keys[i] = coalesce(spared, '') AND EXISTS (SELECT FROM role r WHERE r.id = ANY (roles)
      AND r."roleAlias" IN ('administrator', 'admin') AND r."isDeleted" = 0))
    THEN
      waits := greatest(waits, one."waitUntil");
    END IF;
  END LOOP;
  IF waits IS NOT NULL THEN
    RETURN;
  END IF;
  FOR i IN 1 .. cardinality(keys) LOOP
    ends := CASE WHEN counts[i] + 1 > free[i] THEN
      at + make_interval(mins => least(longest, (2 ^ least(10, counts[i] - free[i]))::integer)) END;
    UPDATE throttle SET count = counts[i] + 1, until = at + memory, "waitUntil" = ends WHERE key = keys[i];
    fails := greatest(fails, counts[i] + 1);
    locked := greatest(locked, ends);
  END LOOP;
END $$;

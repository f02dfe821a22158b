-- The parameter knows these two values only; others that meant the same were accepted before.
UPDATE param SET "paramValue" = CASE "paramValue" WHEN '1' THEN 'true' ELSE 'false' END
WHERE "paramKey" = 'site.register' AND "paramValue" IN ('1', '0');

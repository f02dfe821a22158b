-- Parameters are checked when they are read, and a value that their definition refuses counts as if it were not there. Values
-- that meant something before, in a looser form, are brought to the form that means the same.

-- Lists of hosts: blanks, and commas with nothing between them. What names no host has never let anything through.
UPDATE param SET "paramValue" = coalesce((
  SELECT string_agg(btrim(one, E' \t\r\n'), ',' ORDER BY place)
  FROM unnest(string_to_array("paramValue", ',')) WITH ORDINALITY AS list(one, place)
  WHERE btrim(one, E' \t\r\n') ~ '^[^\s/]+$'), '-')
WHERE "paramKey" IN ('job.hosts', 'develop.hosts', 'oauth.hosts', 'oss.hosts', 'scan.address')
  AND "paramValue" !~ '^(-|[^\s,/]+(\s*,\s*[^\s,/]+)*)$';

-- Who must have a second factor: separators before the first and after the last role.
UPDATE param SET "paramValue" = coalesce(nullif(regexp_replace("paramValue", '^[,，\s]+|[,，\s]+$', '', 'g'), ''), 'optional')
WHERE "paramKey" = 'login.secondFactor' AND "paramValue" ~ '^[,，\s]|[,，\s]$|^$';
UPDATE param SET "paramValue" = lower("paramValue")
WHERE "paramKey" = 'login.secondFactor' AND lower("paramValue") IN ('off', 'optional', 'required');

-- Days began with a number; too few or too many were taken for the nearest that is possible.
UPDATE param SET "paramValue" = greatest(180, least(36500, coalesce(substring("paramValue" FROM '^\s*(\d{1,9})')::integer, 180)))::text
WHERE "paramKey" IN ('log.api.days', 'log.error.days', 'log.usual.days')
  AND NOT ("paramValue" ~ '^\d{3,5}$' AND "paramValue"::numeric BETWEEN 180 AND 36500);
UPDATE param SET "paramValue" = greatest(1, least(30, coalesce(nullif(substring("paramValue" FROM '^\s*(\d{1,9})')::integer, 0), 7)))::text
WHERE "paramKey" = 'export.days' AND NOT ("paramValue" ~ '^\d{1,2}$' AND "paramValue"::numeric BETWEEN 1 AND 30);

-- Amounts could have decimals: whole ones that are no less. What was no number counted as the value of a new installation.
UPDATE param SET "paramValue" = CASE
  WHEN "paramValue" ~ '^\s*\d{1,9}(\.\d*)?([eE]\+?[0-5])?\s*$' THEN ceil("paramValue"::numeric)::text
  ELSE CASE "paramKey" WHEN 'sms.dailyCodes' THEN '5000' WHEN 'sms.dailyFen' THEN '200000' ELSE '5' END END
WHERE "paramKey" IN ('sms.dailyCodes', 'sms.dailyFen', 'sms.unitFen')
  AND "paramValue" !~ '^\d{1,15}$';

-- Where no link to a map could be made, there is none.
UPDATE param SET "paramValue" = CASE WHEN btrim("paramValue") ~ '^https://\S*\{keyword\}\S*$' THEN btrim("paramValue") ELSE '-' END
WHERE "paramKey" = 'map.search' AND ("paramValue" !~ '^(-|https://\S*\{keyword\}\S*)$' OR length("paramValue") > 500);

UPDATE param SET "paramValue" = left("paramValue", 60) WHERE "paramKey" = 'site.title' AND length("paramValue") > 60;
UPDATE param SET "paramValue" = left("paramValue", 20) WHERE "paramKey" = 'consent.version' AND length("paramValue") > 20;

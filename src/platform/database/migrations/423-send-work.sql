-- Sendings are pieces of the one queue: those that are going out, and those with a time that is to come.
INSERT INTO work_item (kind, lane, key, "tenantId", state, "runAt", tries, "maxTries", "createTime", "updateTime")
SELECT 'sms.send', 'sms', s.id::text, s."tenantId", 1, CASE WHEN s."sendStatus" = 3 THEN now() ELSE s."planTime" END, 0, 50, now(), now()
FROM send s
WHERE s."isDeleted" = 0 AND (s."sendStatus" = 3 OR s."sendStatus" IN (1, 2) AND s."planTime" IS NOT NULL)
ON CONFLICT DO NOTHING;

-- Exports in the background are pieces of the one queue, with their sealed orders: those to be made, and those that ended without
-- success and may be asked for again. One that a process is at goes over when the time is up that it had taken for it.
INSERT INTO work_item (kind, lane, key, "tenantId", state, "runAt", tries, "maxTries", payload, memo, "endTime", "createTime", "updateTime")
SELECT 'export', 'export', j."taskId"::text, t."tenantId",
  CASE WHEN t."taskStatus" IN (0, 1) THEN 1 WHEN t."taskStatus" = 4 THEN 9 ELSE 4 END,
  greatest(t."createTime", j."leaseUntil"), j.tries, 3, j.wish,
  jsonb_strip_nulls(jsonb_build_object('kind', j.kind, 'userId', j."userId"::text, 'roleIds', j."roleIds", 'deptIds', j."deptIds",
    'place', j.key)),
  CASE WHEN t."taskStatus" IN (0, 1) THEN NULL ELSE t."endTime" END, t."createTime", now()
FROM export_job j JOIN exporttask t ON t.id = j."taskId"
WHERE t."taskStatus" <> 2
ON CONFLICT DO NOTHING;
DROP TABLE export_job;

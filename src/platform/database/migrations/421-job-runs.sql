-- Runs of jobs are pieces of the one queue. A run that a process is at goes over when the time is up that it had taken for it.
ALTER TABLE job_instance ADD COLUMN IF NOT EXISTS "leaseBy" varchar(40), ADD COLUMN IF NOT EXISTS "leaseUntil" timestamptz;
INSERT INTO work_item (kind, lane, key, "tenantId", state, "runAt", tries, "maxTries", "createTime", "updateTime")
SELECT 'job.run', 'job', r.id::text, r."tenantId", 1, greatest(r."planTime", r."leaseUntil"), r.tries,
  greatest(coalesce(j."instanceRetryNum", 0) + 1, 1), r."createTime", now()
FROM job_instance r LEFT JOIN job_info j ON j.id = r."jobInfoId"
WHERE r.state IN (1, 3)
ON CONFLICT DO NOTHING;
ALTER TABLE job_instance DROP COLUMN "leaseBy", DROP COLUMN "leaseUntil";
DROP INDEX job_instance_open;

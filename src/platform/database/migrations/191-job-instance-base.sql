-- Runs from before they had the columns of every table: they are of their job's tenant, as old as they are, and go with it.
UPDATE job_instance r SET "tenantId" = j."tenantId", "isDeleted" = j."isDeleted", "createTime" = r."planTime",
  "updateTime" = coalesce(r."endTime", r."startTime", r."planTime")
FROM job_info j WHERE j.id = r."jobInfoId";

-- The newest runs of one job.
CREATE INDEX job_instance_newest ON job_instance ("jobInfoId", "createTime", id);

-- Every tenant has the built-in server of jobs; new tenants begin with one.
INSERT INTO job_server ("tenantId", "serverType", "jobServerName", "jobServerUrl", "jobAppName", "jobAppPassword", "createTime", "updateTime")
SELECT t."tenantId", 1, '内置任务服务', '', 'juxian', '', now(), now() FROM tenant t
WHERE t."isDeleted" = 0
  AND NOT EXISTS (SELECT 1 FROM job_server s WHERE s."tenantId" = t."tenantId" AND s."serverType" = 1 AND s."isDeleted" = 0);
-- Jobs that were done by the program itself because of their name are jobs of that server.
UPDATE job_info SET "processorInfo" = 'result-release' WHERE "processorInfo" = 'scheduled results';
UPDATE job_info j SET "jobServerId" = s.id FROM job_server s
WHERE s."tenantId" = j."tenantId" AND s."serverType" = 1 AND s."isDeleted" = 0 AND j."processorInfo" IN (
  'attach-purge', 'attach-scan', 'drawings-tidy', 'exports-tidy', 'job-runs', 'log-retention', 'pay-books', 'pay-expire', 'pay-poll',
  'pay-purge', 'pay-reconcile', 'pay-refunds', 'pay-windows', 'reduction-lapse', 'result-release', 'send-expire', 'send-queue',
  'sms-receipts', 'ticket-pictures', 'upload-days');

-- What is to be done next of all runs of jobs, and what one job has under way.
CREATE INDEX IF NOT EXISTS job_instance_open ON job_instance ("planTime") WHERE state IN (1, 3);
CREATE INDEX IF NOT EXISTS job_instance_job ON job_instance ("jobInfoId") WHERE state IN (1, 3);

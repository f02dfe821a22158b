-- Job servers of before were told what to do by a POST, which is one kind of several now; new ones are PowerJob unless told.
UPDATE job_server SET "serverType" = 3 WHERE "serverType" = 2;

-- Who is at a work of the server's own, and until when, instead of a lock of the connection. When it is due next is said by its job;
-- processes of the older program that still run go on by the old column.
ALTER TABLE job_lock ADD COLUMN holder text, ADD COLUMN until timestamptz, ALTER COLUMN "nextTime" SET DEFAULT now();

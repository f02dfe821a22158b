-- Jobs that want a cluster of workers never ran: this program had none. They are kept and paused, so that they do not begin by
-- themselves now that there are ways to run them.
UPDATE job_info SET enable = 0 WHERE enable = 1 AND ("executeType" <> 1 OR "processorType" <> 1);

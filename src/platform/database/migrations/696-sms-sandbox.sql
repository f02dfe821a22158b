-- Older programs go on.
-- What the sandbox plays of a message: that nobody can tell of it, or that its receipt comes late.
ALTER TABLE sms_outbox ADD COLUMN fate varchar(10);

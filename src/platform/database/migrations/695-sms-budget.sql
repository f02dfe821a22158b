-- Older programs go on.
-- What has gone out by text message on the account of a row that may have a limit, such as an exam, in messages charged: one row that
-- senders change one after the other.
CREATE TABLE sms_budget (
  "ownerId" bigint PRIMARY KEY,
  segments integer NOT NULL
);
ALTER TABLE sms_sent ADD COLUMN "budgetOf" bigint;

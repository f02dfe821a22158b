-- One provider could be in use, with all its templates, whether or not their own rows said so. From here on each row says it itself:
-- several rows with one code are the main account and its reserves. What was sent with before is the main one.
UPDATE sms SET "smsStatus" = 1 FROM sms used
WHERE used."tenantId" = sms."tenantId" AND used.category = sms.category AND used."smsStatus" = 1 AND used."isDeleted" = 0
  AND sms."isDeleted" = 0 AND sms."smsStatus" = 0;

-- Receipts that providers send are compared by it; messages of before are asked about.
ALTER TABLE sms_sent ADD COLUMN "phoneHash" text, ADD COLUMN problem text;
CREATE INDEX sms_sent_receipt ON sms_sent ("smsId", "phoneHash");

-- Receipts that came before the answer by which their message is known.
CREATE TABLE sms_early_receipt (
  "smsId" bigint NOT NULL,
  "bizNo" text NOT NULL,
  "phoneHash" text NOT NULL,
  problem text,
  "time" timestamptz NOT NULL,
  PRIMARY KEY ("smsId", "bizNo")
);

-- Faults of an account in the last while, and until when it is left alone.
CREATE TABLE sms_circuit (
  "smsId" bigint PRIMARY KEY,
  faults integer NOT NULL,
  since timestamptz NOT NULL,
  "openUntil" timestamptz
);

-- The end of each tenant's audit chain: number and digest of its last entry, and a seal of both. Whoever appends locks his
-- tenant's row, so that entries follow one another in one line, however many processes write.
CREATE TABLE audit_head (
  "tenantId" varchar(12) PRIMARY KEY,
  seq integer NOT NULL,
  hash varchar(64) NOT NULL,
  seal varchar(64) NOT NULL
);

-- What was written stays as it is, whoever asks.
CREATE FUNCTION auditlog_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'auditlog is append-only';
END $$;
CREATE TRIGGER auditlog_rows_stay BEFORE UPDATE OR DELETE ON auditlog FOR EACH ROW EXECUTE FUNCTION auditlog_stays();
CREATE TRIGGER auditlog_stays BEFORE TRUNCATE ON auditlog FOR EACH STATEMENT EXECUTE FUNCTION auditlog_stays();

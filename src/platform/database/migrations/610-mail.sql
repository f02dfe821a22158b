-- What the mail server of a demonstration was handed.
CREATE TABLE mail_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address text NOT NULL,
  raw bytea NOT NULL,
  "time" timestamptz NOT NULL
);
CREATE INDEX mail_outbox_address ON mail_outbox (address, id);

-- Older programs go on.
-- What else came with a webhook in a demonstration, and how many of the next ones its receiver answers with a fault.
ALTER TABLE hook_inbox ADD COLUMN "timestamp" text, ADD COLUMN signature text, ADD COLUMN refused boolean NOT NULL DEFAULT false;
CREATE TABLE hook_inbox_fault (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  num integer NOT NULL
);
INSERT INTO hook_inbox_fault (num) VALUES (0);

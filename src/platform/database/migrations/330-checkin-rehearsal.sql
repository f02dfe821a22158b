-- A note made in a rehearsal, before the check-in of a stage is open: never part of what a ticket says, deleted with the
-- first exchange of the real check-in.
ALTER TABLE check_in ADD COLUMN rehearsal boolean NOT NULL DEFAULT false;
CREATE INDEX check_in_rehearsal ON check_in ("ticketId") WHERE rehearsal;

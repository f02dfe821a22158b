-- What is open of one kind under one key is there once.
CREATE UNIQUE INDEX work_item_key ON work_item (kind, key) WHERE state IN (1, 3);
-- What is to be done next, by lane; and what was begun by a process that may have ended.
CREATE INDEX work_item_waiting ON work_item (lane, priority DESC, "runAt", id) WHERE state = 1;
CREATE INDEX work_item_running ON work_item ("leaseUntil") WHERE state = 3;
-- What is to be forgotten.
CREATE INDEX work_item_ended ON work_item ("endTime") WHERE state IN (4, 5, 9);

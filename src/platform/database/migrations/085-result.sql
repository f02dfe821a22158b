-- What was done with the results of a stage as a whole, and releases that wait for their time (time is null until then).
create table result_move (
  id bigint primary key default next_id(),
  "itemId" bigint not null,
  kind varchar(10) not null,
  reason varchar(255) not null default '',
  num int not null default 0,
  "userId" bigint not null,
  "dueTime" timestamptz,
  time timestamptz,
  problem varchar(500) not null default ''
);

create index result_move_item on result_move ("itemId", time);
create unique index result_move_waiting on result_move ("itemId") where time is null;

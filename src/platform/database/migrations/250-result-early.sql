-- A release of results before their stage has ended: one person has asked for it, a second one has not confirmed it yet.
create table result_early (
  "itemId" bigint primary key,
  "userId" bigint not null,
  reason varchar(255) not null,
  "time" timestamptz not null
);

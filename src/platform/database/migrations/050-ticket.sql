-- The plan of a stage before its seats are locked, and the seed it was drawn with.
create table seat_plan (
  "itemId" bigint primary key,
  strategy int not null,
  seed text not null,
  options jsonb not null,
  total int not null,
  conflicts int not null,
  "userId" bigint not null,
  time timestamptz not null
);

create table seat_draft (
  "itemId" bigint not null,
  "signupId" bigint not null,
  "roomId" bigint not null,
  "seatNo" int not null,
  "row" int not null,
  col int not null,
  primary key ("itemId", "signupId"),
  -- Two people may change places within one transaction.
  constraint seat_draft_seat unique ("itemId", "roomId", "seatNo") deferrable initially deferred
);

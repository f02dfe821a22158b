-- Events of which people have still to be told, looked for every second: few of very many.
CREATE INDEX event_untold ON event (id) WHERE "toldTime" IS NULL AND "isDeleted" = 0;

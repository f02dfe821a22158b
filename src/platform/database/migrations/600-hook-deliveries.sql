-- What has still to be sent to hooks, looked for all the time: few of very many.
CREATE INDEX hookdelivery_open ON hookdelivery ("hookId", id) WHERE "deliveryStatus" IN (0, 1) AND "isDeleted" = 0;

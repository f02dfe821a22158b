-- Deliveries that are to go out, or may have been left by a process that ended: few of very many.
CREATE INDEX delivery_due ON delivery ("goAt") WHERE "deliveryState" IN (0, 1) AND "isDeleted" = 0;

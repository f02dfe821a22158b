-- What only informs is nothing to do by a time.
UPDATE message SET until = NULL
WHERE until IS NOT NULL AND code IN ('examination.windowMoved', 'publicity.started', 'datapurge.planned');

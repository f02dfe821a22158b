-- What a row of a frozen ledger says, as one digest; the digests of all rows make that of the batch.
CREATE OR REPLACE FUNCTION exportpay_digest(x exportpay) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(x."tenantId", x."mainId", x."payRecordId", x."orderNo",
    x."transactionId", x.name, x.unit, x.amount, x."refundAmount", extract(epoch FROM x."payTime"), x."isInvoice",
    x."isDeleted")::text, 'UTF8')), 'hex')
$$;

-- Batches made before: their rows as they stand now; changes from here on are found.
UPDATE exportpay x SET digest = exportpay_digest(x) WHERE digest IS NULL;
UPDATE exportpaymain m SET "rowsDigest" = encode(sha256(convert_to(coalesce(
  (SELECT string_agg(x.digest, '' ORDER BY x."payTime", x.id) FROM exportpay x WHERE x."mainId" = m.id), ''), 'UTF8')), 'hex')
WHERE "rowsDigest" IS NULL;

-- What came for orders to which another amount came than was asked: until now only the slip of the system said it.
UPDATE payorder o SET "paidAmount" = f.amount
FROM (SELECT DISTINCT ON ("payOrderId") "payOrderId", amount FROM payrefund
  WHERE "applyUser" = 0 AND reason = '金额不符' ORDER BY "payOrderId", id) f
WHERE f."payOrderId" = o.id AND o."paidAmount" IS NULL AND o."exceptReason" = '金额不符';

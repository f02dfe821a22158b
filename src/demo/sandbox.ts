import { sql } from 'kysely'
import { OrderStatus, PayChannelNo } from '#schemas/dictionaries'
import type { SandboxMerchant } from '../platform/channels/pay/sandbox/merchant.ts'
import type { Demo } from './exams.ts'

/**
 * Tells the sandbox of WeChat Pay about the orders that were paid before the demonstration began: refunds and bills find them
 * there.
 */
export async function payAtSandbox({ db, tenantId }: Demo, { mchid, appid }: SandboxMerchant): Promise<void> {
  await sql`
    INSERT INTO pay_sandbox_order ("orderNo", pr, mchid, appid, body, amount, "notifyUrl", state, "transactionId", "payerId",
      "expireTime", "successTime")
    SELECT "orderNo", gen_random_uuid()::text, ${mchid}, ${appid}, body, amount, '', 'SUCCESS', "transactionId",
      'o' || id, "expireTime", "payTime"
    FROM payorder WHERE "tenantId" = ${tenantId} AND channel = ${sql.lit(PayChannelNo.simulated)} AND "orderStatus" = ${sql.lit(OrderStatus.paid)}
    ON CONFLICT DO NOTHING`.execute(db)
}

import { createHash, createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { billColumns, sumColumns } from '../wechat/bill.ts'
import type { SandboxMerchant } from './merchant.ts'

interface TradeLine {
  orderNo: string
  transactionId: string
  payerId: string
  body: string
  amount: number
  time: Date
}

interface RefundLine extends TradeLine {
  refundNo: string
  refundId: string
  refund: number
  outcome: string
}

/** Hour of the next day, in Shanghai, before which there is no bill. */
const readyHour = 10

const yuan = (fen: number): string => (fen / 100).toFixed(2)
const shanghaiText = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** When the bill of a day is there. */
const readyAt = (day: string): number => Date.parse(`${day}T00:00:00+08:00`) + (24 + readyHour) * 3_600_000

/** The bill of a day as WeChat Pay writes it; null while it is not made yet. */
export async function writeBill(pool: Pool, merchant: SandboxMerchant, day: string, now: Date): Promise<string | null> {
  if (now.getTime() < readyAt(day)) return null
  const start = new Date(`${day}T00:00:00+08:00`)
  const window = [start, new Date(start.getTime() + 86_400_000)]
  const trades = await pool.query<TradeLine>(
    `SELECT "orderNo", "transactionId", "payerId", body, coalesce((fault->>'amount')::int, amount) AS amount,
       "successTime" AS time
     FROM pay_sandbox_order WHERE "successTime" >= $1 AND "successTime" < $2 ORDER BY "successTime", "orderNo"`,
    window,
  )
  const refunds = await pool.query<RefundLine>(
    `SELECT o."orderNo", o."transactionId", o."payerId", o.body, coalesce((o.fault->>'amount')::int, o.amount) AS amount,
       r."dueTime" AS time, r."refundNo", r."refundId", r.amount AS refund, r.outcome
     FROM pay_sandbox_refund r JOIN pay_sandbox_order o ON o."orderNo" = r."orderNo"
     WHERE r."dueTime" >= $1 AND r."dueTime" < $2 AND r.outcome = 'SUCCESS' ORDER BY r."dueTime", r."refundNo"`,
    window,
  )
  const lines = [
    ...trades.rows.map(row => tradeLine(merchant, row)),
    ...refunds.rows.map(row => refundLine(merchant, row)),
  ]
  const paid = trades.rows.reduce((sum, { amount }) => sum + amount, 0)
  const back = refunds.rows.reduce((sum, { refund }) => sum + refund, 0)
  const sums = [String(lines.length), yuan(paid), yuan(back), '0.00', '0.00', yuan(paid), yuan(back)]
  const texts = [billColumns.join(','), ...lines.map(quoted), sumColumns.join(','), quoted(sums)]
  return `${texts.join('\r\n')}\r\n`
}

const quoted = (cells: readonly string[]): string => cells.map(cell => `\`${cell.replaceAll(',', ' ')}`).join(',')

const cellsBefore = (merchant: SandboxMerchant, line: TradeLine, state: string): string[] => [
  shanghaiText(line.time),
  merchant.appid,
  merchant.mchid,
  '0',
  '',
  line.transactionId,
  line.orderNo,
  line.payerId,
  'NATIVE',
  state,
  'OTHERS',
  'CNY',
]

const tradeLine = (merchant: SandboxMerchant, line: TradeLine): string[] => [
  ...cellsBefore(merchant, line, 'SUCCESS'),
  yuan(line.amount),
  '0.00',
  '0',
  '0',
  '0.00',
  '0.00',
  '',
  '',
  line.body,
  '',
  '0.00',
  '0.00%',
  yuan(line.amount),
  '0.00',
  '',
]

const refundLine = (merchant: SandboxMerchant, line: RefundLine): string[] => [
  ...cellsBefore(merchant, line, 'REFUND'),
  '0.00',
  '0.00',
  line.refundId,
  line.refundNo,
  yuan(line.refund),
  '0.00',
  'ORIGINAL',
  line.outcome,
  line.body,
  '',
  '0.00',
  '0.00%',
  '0.00',
  yuan(line.refund),
  '',
]

/** What makes the address of a bill unguessable. */
export const billToken = (merchant: SandboxMerchant, day: string): string =>
  createHmac('sha256', merchant.apiV3Key).update(`bill ${day}`).digest('hex')

/** The answer about a bill: where it is and its digest. */
export const billAnswer = (merchant: SandboxMerchant, bill: string, day: string, base: string) => ({
  hash_type: 'SHA1',
  hash_value: createHash('sha1').update(bill).digest('hex'),
  download_url: `${base}/v3/billdownload/file?day=${day}&token=${billToken(merchant, day)}`,
})

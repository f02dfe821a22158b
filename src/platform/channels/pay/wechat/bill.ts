import { type Bill, BillError, type BillRefund, type BillTrade } from '../bill.ts'

/** The columns of the bill, in the words of WeChat Pay's file of all transactions. */
export const billColumns = [
  '交易时间',
  '公众账号ID',
  '商户号',
  '特约商户号',
  '设备号',
  '微信订单号',
  '商户订单号',
  '用户标识',
  '交易类型',
  '交易状态',
  '付款银行',
  '货币种类',
  '应结订单金额',
  '代金券金额',
  '微信退款单号',
  '商户退款单号',
  '退款金额',
  '充值券退款金额',
  '退款类型',
  '退款状态',
  '商品名称',
  '商户数据包',
  '手续费',
  '费率',
  '订单金额',
  '申请退款金额',
  '费率备注',
] as const

/** Heads of the bill's last two lines, its sums. */
export const sumColumns = [
  '总交易单数',
  '应结订单总金额',
  '退款总金额',
  '充值券退款总金额',
  '手续费总金额',
  '订单总金额',
  '申请退款总金额',
] as const

type Line = Readonly<Record<string, string>>

/** The cells of a line: each begins with a back quote, so that spreadsheets leave numbers alone. */
const cellsOf = (line: string): string[] => line.split(/,(?=`)/).map(cell => cell.replace(/^`/, '').trim())

/** Yuan with two decimals as fen. */
function fen(text: string | undefined): number {
  if (!text || !/^\d{1,9}(\.\d{1,2})?$/.test(text)) throw new BillError(`金额「${text ?? ''}」无法识别`)
  const [yuan = '0', cents = ''] = text.split('.')
  return Number(yuan) * 100 + Number(cents.padEnd(2, '0'))
}

/**
 * Reads a bill and proves it against its own sums: a file that was cut or changed is refused as a whole.
 * @throws BillError in words for the person who brought the file
 */
export function readBill(text: string): Bill {
  const [head = '', ...rest] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(Boolean)
  const columns = head.split(',')
  if (!['微信订单号', '商户订单号', '交易状态', '订单金额', '申请退款金额'].every(one => columns.includes(one)))
    throw new BillError('表头不是微信支付交易账单')
  const end = rest.findIndex(line => line.startsWith(sumColumns[0]))
  if (end < 0) throw new BillError('缺少汇总行')
  const lines = rest.slice(0, end).map((line): Line => named(columns, cellsOf(line)))
  const sums = named((rest[end] ?? '').split(','), cellsOf(rest[end + 1] ?? ''))
  const bill = { trades: lines.filter(isTrade).map(tradeOf), refunds: lines.filter(isRefund).map(refundOf) }
  checkSums(bill, lines.length, sums)
  return bill
}

const named = (columns: readonly string[], cells: readonly string[]): Line =>
  Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']))

const isTrade = (line: Line) => line.交易状态 === 'SUCCESS'
const isRefund = (line: Line) => line.交易状态 === 'REFUND'

const tradeOf = (line: Line): BillTrade => ({
  orderNo: line.商户订单号 ?? '',
  transactionId: line.微信订单号 ?? '',
  amount: fen(line.订单金额),
})

const refundOf = (line: Line): BillRefund => ({
  orderNo: line.商户订单号 ?? '',
  refundNo: line.商户退款单号 ?? '',
  channelRefundId: line.微信退款单号 ?? '',
  amount: fen(line.申请退款金额),
})

const total = (rows: readonly { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0)

function checkSums(bill: Bill, lines: number, sums: Line): void {
  if (Number(sums.总交易单数) !== lines) throw new BillError('笔数与汇总行不一致')
  if (fen(sums.订单总金额) !== total(bill.trades)) throw new BillError('订单金额与汇总行不一致')
  if (fen(sums.申请退款总金额) !== total(bill.refunds)) throw new BillError('退款金额与汇总行不一致')
}

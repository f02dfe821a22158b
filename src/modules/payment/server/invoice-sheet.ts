import type { FastifyInstance } from 'fastify'
import { InvoiceStatus, InvoiceType, PayState } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import { inScope } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { takenBy } from '../../../platform/pdf/taken-by.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { confirmMany } from './invoice.ts'
import { type BadRow, type Imported, importResult, readTexts, type Sheet } from './sheet-rows.ts'

/** Rows of one sheet at most. */
const most = 5000

const sheet: Sheet = {
  version: 'invoice-1',
  columns: [
    { title: '记录编号', required: true, width: 24, note: '用于对应缴费记录，请勿修改' },
    { title: '考试', width: 32 },
    { title: '姓名', width: 12 },
    { title: '缴费时间', width: 20 },
    { title: '金额(元)', width: 12, type: 'number' },
    { title: '抬头类型', width: 10 },
    { title: '发票抬头', width: 32 },
    { title: '税号', width: 24 },
    { title: '接收邮箱', width: 28 },
    { title: '票据号码', required: true, width: 24 },
  ],
}

/** Invoices that are asked for, as a sheet that takes their numbers and comes back. @throws workbook.tooManyRows */
export async function invoiceSheet(app: FastifyInstance, person: Person, examId: string): Promise<Buffer> {
  const rows = await app.db
    .selectFrom('payrecord as r')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .where(inScope(app, person, 'payrecord', 'r'))
    .where('r.payState', '=', PayState.paid)
    .where('r.invoiceStatus', '=', InvoiceStatus.asked)
    .$if(examId !== '', query => query.where('r.examId', '=', examId))
    .select(['r.id', 'e.examName', 'r.name', 'r.payTime', 'r.amount', 'r.invoiceType', 'r.invoiceTitle', 'r.taxNo'])
    .select('r.invoiceEmail')
    .orderBy('r.id')
    .limit(most + 1)
    .execute()
  if (rows.length > most) throw refuse('workbook.tooManyRows', { n: most })
  return templateWorkbook({
    sheet: '待开票',
    ...sheet,
    foot: takenBy(person, app.now()),
    rows: rows.map(row => [
      row.id,
      row.examName,
      row.name,
      wireTime(row.payTime),
      row.amount / 100,
      row.invoiceType === InvoiceType.organization ? '单位' : '个人',
      row.invoiceTitle,
      row.taxNo,
      row.invoiceEmail,
      '',
    ]),
  })
}

/**
 * Takes the sheet back: every row with a number is an issued invoice.
 * @throws workbook.templateInvalid, workbook.rowsInvalid
 */
export async function importInvoices(
  app: FastifyInstance,
  person: Person,
  bytes: Buffer,
  mode: 1 | 2,
): Promise<Imported> {
  const { rows, bad } = await readTexts(bytes, sheet)
  const total = new Set([...rows, ...bad].map(({ row }) => row)).size
  const ids = rows.map(({ texts }) => texts[0] ?? '').filter(isId)
  const known = await app.db
    .selectFrom('payrecord')
    .select(['id', 'payState', 'invoiceStatus', 'invoiceTitle'])
    .where(inScope(app, person, 'payrecord'))
    .where('id', 'in', ids.length > 0 ? ids : ['0'])
    .execute()
  const records = new Map(known.map(row => [row.id, row]))
  const numbers = new Map<string, string>()
  for (const { row, texts } of rows) {
    const [id = '', no = ''] = [texts[0], texts[9]]
    const msg = problemOf(records.get(id), numbers.has(id), no)
    if (msg) bad.push({ row, column: msg.startsWith('票据') ? '票据号码' : '记录编号', msg })
    else numbers.set(id, no)
  }
  const result = importResult(total, bad as BadRow[], mode)
  if (numbers.size > 0) await app.db.transaction().execute(trx => confirmMany(trx, numbers, person, app.now()))
  return result
}

function problemOf(
  record: { payState: number; invoiceStatus: number } | undefined,
  twice: boolean,
  no: string,
): string | null {
  if (!record) return '缴费记录不存在'
  if (twice) return '与前面的行重复'
  if (record.payState !== PayState.paid) return '当前缴费状态不能开票'
  if (record.invoiceStatus === InvoiceStatus.issued) return '票据已开具'
  if (record.invoiceStatus === InvoiceStatus.reversed) return '已红冲，须重新申请'
  return no.length > 50 ? '票据号码最多50个字' : null
}

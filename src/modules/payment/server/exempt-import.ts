import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { idCardProblem } from '#engine'
import { OrderStatus, PayBizType, PayState } from '#schemas/dictionaries'
import { refuseArchived } from '../../../crud/archived.ts'
import { inScope } from '../../../crud/scope.ts'
import { tieFile } from '../../../crud/stored-file.ts'
import type { Trx } from '../../../platform/database/database.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { closeOpenOrders } from './ask-channel.ts'
import { payContext } from './context.ts'
import { updateTotals } from './record-state.ts'
import { type BadRow, type Imported, importResult, readTexts, type Sheet, type TextRow } from './sheet-rows.ts'

const sheet: Sheet = {
  version: 'payexempt-1',
  columns: [
    { title: '证件号码', required: true, width: 24 },
    { title: '姓名', required: true, width: 14 },
    { title: '免缴原因', required: true, width: 40, note: '例如：城乡低保家庭' },
  ],
}

/** The sheet of people who need not pay. */
export const exemptTemplate = (): Promise<Buffer> => templateWorkbook({ sheet: '免缴名单', ...sheet })

interface Found {
  id: string
  examId: string
  name: string
  payState: number
  idCardHash: string | null
}

const states: Readonly<Record<number, string>> = {
  [PayState.paid]: '已缴费',
  [PayState.exempt]: '已免缴',
  [PayState.refunding]: '退款处理中',
  [PayState.refunded]: '已退款',
  [PayState.closed]: '缴费已关闭',
}

/**
 * Waives the fee of everybody on a sheet, found by ID number among the records of a stage. Open orders are closed
 * first; money that came wins. One proof stands for the whole list.
 * @throws workbook.templateInvalid, workbook.rowsInvalid, file.notFound for a proof that is not there, exams.archived,
 * row.changed when somebody paid meanwhile, payment.channelUnavailable
 */
export async function importExempt(
  app: FastifyInstance,
  person: Person,
  { itemId, proof }: { itemId: string; proof: string },
  bytes: Buffer,
  mode: 1 | 2,
): Promise<Imported> {
  const { rows, bad } = await readTexts(bytes, sheet)
  const total = new Set([...rows, ...bad].map(({ row }) => row)).size
  const hash = (text: string) => app.vault.hash(person.tenantId, text.toUpperCase())
  const records = await recordsOf(
    app,
    person,
    itemId,
    rows.map(({ texts }) => hash(texts[0] ?? '')),
  )
  const reasons = new Map<string, string>()
  for (const one of rows) {
    const found = records.get(hash(one.texts[0] ?? ''))
    const wrong = problemOf(one, found, reasons)
    if (wrong) bad.push(wrong)
    else if (found) reasons.set(found.id, one.texts[2] ?? '')
  }
  const result = importResult(total, bad, mode)
  if (reasons.size === 0) return result
  await refuseArchived(
    app.db,
    [...records.values()].map(({ examId }) => examId),
  )
  const ctx = payContext(app)
  await closeOpenOrders(ctx, [...reasons.keys()], '免缴')
  await app.db.transaction().execute(async trx => {
    await tieFile(trx, proof, { tenantId: person.tenantId, id: [...reasons.keys()][0] ?? '' })
    await exemptMany(trx, reasons, { userId: person.userId, proof }, app.now())
  })
  return result
}

async function recordsOf(app: FastifyInstance, person: Person, itemId: string, hashes: readonly string[]) {
  const rows: Found[] = await app.db
    .selectFrom('payrecord')
    .select(['id', 'examId', 'name', 'payState', 'idCardHash'])
    .where(inScope(app, person, 'payrecord'))
    .where('itemId', '=', itemId)
    .where('idCardHash', 'in', hashes.length > 0 ? [...hashes] : [''])
    .execute()
  return new Map(rows.map(row => [row.idCardHash ?? '', row]))
}

function problemOf(
  { row, texts }: TextRow,
  found: Found | undefined,
  taken: ReadonlyMap<string, string>,
): BadRow | null {
  const [idCard = '', name = '', reason = ''] = texts
  const wrong = idCardProblem(idCard)
  if (wrong) return { row, column: '证件号码', msg: wrong }
  if (!found) return { row, column: '证件号码', msg: '没有该考生的缴费记录' }
  if (found.name !== name) return { row, column: '姓名', msg: '姓名与缴费记录不符' }
  if (found.payState !== PayState.due) return { row, column: '证件号码', msg: states[found.payState] ?? '状态不符' }
  if (taken.has(found.id)) return { row, column: '证件号码', msg: '与前面的行重复' }
  return reason.length > 255 ? { row, column: '免缴原因', msg: '免缴原因最多255个字' } : null
}

/** Moves all records in one statement; whoever is not due any more stops it. */
async function exemptMany(
  trx: Trx,
  reasons: ReadonlyMap<string, string>,
  { userId, proof }: { userId: string; proof: string },
  now: Date,
): Promise<void> {
  const ids = [...reasons.keys()]
  await trx
    .selectFrom('signup')
    .innerJoin('payrecord', 'payrecord.signupId', 'signup.id')
    .where('payrecord.id', 'in', ids)
    .select('signup.id')
    .orderBy('signup.id')
    .forNoKeyUpdate('signup')
    .execute()
  const { rows } = await sql<{ mainId: string; signupId: string }>`
    UPDATE payrecord r SET "payState" = ${PayState.exempt}, "exemptReason" = g.reason, "exemptFile" = ${proof}, version = r.version + 1,
      "updateUser" = ${userId}, "updateTime" = ${now}
    FROM unnest(${ids}::bigint[], ${[...reasons.values()]}::text[]) AS g (id, reason)
    WHERE r.id = g.id AND r."payState" = ${PayState.due} AND r."isDeleted" = 0
      AND NOT EXISTS (SELECT 1 FROM payorder o WHERE o."bizType" = ${sql.lit(PayBizType.examFee)} AND o."bizId" = r.id AND o."orderStatus" = ${sql.lit(OrderStatus.unpaid)})
    RETURNING r."mainId"::text AS "mainId", r."signupId"::text AS "signupId"`.execute(trx)
  if (rows.length < ids.length) throw refuse('row.changed')
  await trx
    .updateTable('signup')
    .set({ payState: PayState.exempt, updateTime: now })
    .where(
      'id',
      'in',
      rows.map(row => row.signupId),
    )
    .execute()
  for (const mainId of new Set(rows.map(row => row.mainId))) await updateTotals(trx, mainId, now)
}

import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { ImportMode } from '#schemas/dictionaries'
import { paramsOf } from '../../../platform/channels/sms/sms-text.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { type BadRow, readTexts, type Sheet } from '../../payment/server/sheet-rows.ts'
import { addReceivers, type Receiver, receiverOf } from './receivers.ts'
import { lockDraft, type SendRow, type TextSource, templateOf } from './rows.ts'

/** Longest value of a template, in characters. */
const longest = 50

/** The sheet of a template: name, phone and a column for each of its values. */
const sheetOf = (template: TextSource): Sheet => ({
  version: `message-${template.id}`,
  columns: [
    { title: '姓名', width: 14 },
    { title: '手机号码', required: true, width: 16 },
    ...paramsOf(template.templateContent).map(title => ({ title, required: true, width: 20 })),
  ],
})

/** The workbook to fill in for a template. */
export const messageTemplate = (template: TextSource): Promise<Buffer> =>
  templateWorkbook({ sheet: '短信名单', ...sheetOf(template) })

/**
 * Takes a filled-in list into a draft. Mode 1 takes all rows or none (workbook.rowsInvalid), mode 2 the good ones; a
 * phone that comes twice is taken once and counted.
 */
export async function importReceivers(app: FastifyInstance, person: Person, send: SendRow, bytes: Buffer, mode: 1 | 2) {
  const template = await templateOf(app.db, send)
  const names = paramsOf(template.templateContent)
  const { rows, bad } = await readTexts(bytes, sheetOf(template))
  const good: Receiver[] = []
  for (const { row, texts } of rows) {
    const [name = '', phone = '', ...values] = texts
    const wrong = wrongOf(row, name, phone, names, values)
    if (wrong) bad.push(wrong)
    else
      good.push(
        receiverOf(
          app,
          send.tenantId,
          phone,
          name || null,
          Object.fromEntries(names.map((one, i) => [one, values[i] ?? ''])),
        ),
      )
  }
  const errors = bad.toSorted((one, other) => one.row - other.row)
  const errNum = new Set(errors.map(({ row }) => row)).size
  if (mode === ImportMode.allOrNothing && errNum > 0)
    throw refuse('workbook.rowsInvalid', { n: errNum }, { okNum: 0, errNum, dupNum: 0, rows: errors })
  const by = { userId: person.userId, now: app.now() }
  const { added, twice } = await app.db
    .transaction()
    .execute(async trx => addReceivers(trx, await lockDraft(trx, send.id), template, good, by))
  return { taskId: '', okNum: added, errNum, dupNum: twice, rows: errors }
}

function wrongOf(
  row: number,
  name: string,
  phone: string,
  names: readonly string[],
  values: readonly string[],
): BadRow | null {
  const wrong = phoneProblem(phone)
  if (wrong) return { row, column: '手机号码', msg: wrong }
  if (name.length > 20) return { row, column: '姓名', msg: '姓名最多20个字' }
  const long = values.findIndex(value => value.length > longest)
  return long < 0 ? null : { row, column: names[long] ?? '', msg: `最多${longest}个字` }
}

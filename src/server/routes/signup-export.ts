import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../access.ts'
import { photoWall, type WallQuery } from '../actions/signup/avatars.ts'
import { type Caller, callerOf } from '../actions/signup/caller.ts'
import { fileEntries, formEntries, mostInArchive } from '../actions/signup/export-archive.ts'
import { checkFilters, checkSize, type Selection } from '../actions/signup/export-rows.ts'
import { columnsOf, openColumns, signupSheet } from '../actions/signup/export-sheet.ts'
import { beginTask, registered, type Task } from '../actions/signup/export-task.ts'
import { type Look, reveal } from '../actions/signup/reveal.ts'
import { confirmPassword, type SentPassword } from '../actions/signup/second-password.ts'
import { asFile } from '../crud/export.ts'
import { streamZip, type ZipEntry } from '../documents/zip.ts'
import { refuse } from '../domain/refusal.ts'
import { wireDay, wireTime } from '../domain/wire.ts'
import { ok } from '../plugins/envelope.ts'
import { disposition } from './disposition.ts'
import { examInScope, valuesOf } from './exam/examination.ts'
import { body, id, paging, query } from './signup/schemas.ts'

const exports = { access: { permission: 'signup_export' } } as const
const base = '/api/blade-signup/signup'

/** What an export is asked for beside filters. */
interface Order extends SentPassword {
  ids: string[]
  columns: string[]
  fileCodes: string[]
  /** True: the items of the exam's form become columns. */
  items: boolean
  reason: string
  filters: Record<string, string>
}

/** Texts of a list, sent as such or joined by commas. */
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(',')).map(String).filter(Boolean)

const most = 2000

/** An export as it was sent: options by name, everything else filters. @throws 29005 */
function orderOf(request: FastifyRequest): Order {
  const { ids, columns, fileCodes, items, reason, password, keyId, ...rest } = valuesOf(request)
  const wanted = listOf(ids)
  if (wanted.length > most || !wanted.every(one => new RegExp(id.pattern).test(one)))
    throw refuse(29005, { 说明: 'ids' })
  const filters = Object.entries(rest).map(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') throw refuse(29005, { 说明: name.slice(0, 50) })
    return [name, String(value)] as const
  })
  return {
    ...{ ids: wanted, columns: listOf(columns), fileCodes: listOf(fileCodes), items: Number(items ?? 0) === 1 },
    ...{
      reason: String(reason ?? '')
        .trim()
        .slice(0, 255),
      filters: Object.fromEntries(filters),
    },
    ...(password ? { password: String(password) } : {}),
    ...(keyId ? { keyId: String(keyId) } : {}),
  }
}

/** Personal data in full leave only with a reason and the own password. @throws 29005, 20002, 20017, 29007 */
async function checkSensitive(request: FastifyRequest, order: Order): Promise<void> {
  if (order.reason.length < 2) throw refuse(29005, { 说明: '请填写导出用途' })
  await confirmPassword(request.server, person(request), order)
}

const selectionOf = ({ ids, filters }: Order, drafts: boolean): Selection => ({ ids, filters, drafts })

const enter = (
  app: FastifyInstance,
  caller: Caller,
  bizType: string,
  order: Order,
  sensitive: boolean,
): Promise<Task> => {
  const { ids, columns, fileCodes, items, filters, reason } = order
  return beginTask(caller, app.now, { bizType, params: { ids, columns, fileCodes, items, filters }, sensitive, reason })
}

/** Exports of sign-ups, the wall of photos, and single numbers in full: `/blade-signup/signup`. */
export default async function signupExportRoutes(app: FastifyInstance): Promise<void> {
  app.post(`${base}/exportSignUp`, { config: exports }, async (request, reply) => {
    const caller = callerOf(app, request)
    const order = orderOf(request)
    const columns = columnsOf(order.columns)
    const sensitive = columns.some(one => openColumns.includes(one))
    if (sensitive) await checkSensitive(request, order)
    const formOf = order.items ? (await examInScope(request, order.filters.examId ?? '0')).id : null
    const { name } = caller.person
    const watermark = `导出人：${name}　导出时间：${wireTime(caller.now)}${order.reason && `　用途：${order.reason}`}`
    const selection = selectionOf(order, true)
    await checkFilters(app, caller, selection)
    const task = await enter(app, caller, 'signup', order, sensitive)
    const sheet = await signupSheet(app, caller, { selection, columns, formOf, watermark }, task)
    return asFile(reply, `报名_${wireDay(caller.now)}.xlsx`).send(sheet)
  })
  archive('exportSignUpEach', 'signupForms', '报名表', (caller, order) =>
    formEntries(app, caller, selectionOf(order, false)),
  )
  archive('exportFilesForUser', 'signupFiles', '报名附件', (caller, order) =>
    fileEntries(app, caller, selectionOf(order, false), order.fileCodes),
  )
  wallRoutes(app)

  function archive(
    path: string,
    bizType: string,
    title: string,
    entries: (caller: Caller, order: Order) => AsyncIterable<ZipEntry>,
  ): void {
    app.post(`${base}/${path}`, { config: exports }, async (request, reply) => {
      const caller = callerOf(app, request)
      const order = orderOf(request)
      await checkSize(app, caller, selectionOf(order, false), mostInArchive)
      await checkSensitive(request, order)
      const task = await enter(app, caller, bizType, order, true)
      return reply
        .type('application/zip')
        .header('content-disposition', disposition(`${title}_${wireDay(caller.now)}.zip`))
        .send(streamZip(registered(task, entries(caller, order))))
    })
  }
}

function wallRoutes(app: FastifyInstance): void {
  const word = { type: 'string', maxLength: 30 } as const
  const wall = query({ ...paging, examId: id, unit: word, code: word, missing: { type: 'integer', enum: [0, 1] } }, [
    'examId',
  ])
  app.get<{ Querystring: WallQuery }>(
    `${base}/getExamAvatarList`,
    { config: { access: { permission: 'signup_view' } }, schema: wall },
    async request => ok(await photoWall(app, callerOf(app, request), request.query)),
  )
  const look = body(
    {
      id,
      field: { type: 'string', enum: ['idCard', 'phone'] },
      reason: { type: 'string', maxLength: 255, title: '原因' },
    },
    ['field', 'reason'],
  )
  app.post<{ Querystring: { id?: string }; Body: Omit<Look, 'id'> & { id?: string } }>(
    `${base}/reveal`,
    {
      config: { access: { permission: 'signup_reveal' } },
      schema: { ...look, querystring: { type: 'object', additionalProperties: false, properties: { id } } },
    },
    async request => {
      const { field, reason } = request.body
      const wanted = request.body.id ?? request.query.id ?? '0'
      return ok({ [field]: await reveal(app, request, { id: wanted, field, reason }) })
    },
  )
}

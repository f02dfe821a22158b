import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commaList, permissionOf, type Resource } from '#engine'
import { notice as noticeResource } from '#resources/notices/notice'
import { asFile } from '../../../../crud/export.ts'
import { isId } from '../../../../crud/input.ts'
import { changeable } from '../../../../crud/scope.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { keepUpload } from '../../../../platform/attachments/server/upload.ts'
import { type Person, person } from '../../../../platform/http/server/access.ts'
import { formOf } from '../../../../platform/http/server/form.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { takenBy } from '../../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../../platform/workbook/workbook.ts'
import { examInScope, idOf, textOf } from '../../../exams/server/routes/examination.ts'
import {
  countMoved,
  countMovedOfFee,
  countMovedOfStage,
  examsOfNotices,
  exportReaders,
  followedNotices,
  noticeFiles,
  readerList,
  submitNotice,
} from '../../contract.ts'
import { filesOf } from '../files.ts'
import { withFiles } from '../hooks.ts'
import { noticeOf } from '../lists.ts'
import { concernedAtStage, concernedBy, countConcerned } from '../moved.ts'
import { examsToFollow, followed, noticesToFollow, readerPage, readerRows, readerStates } from '../readers.ts'

const notice: Resource = noticeResource

/** A released fee or a stage that the caller may change. @throws row.notFound */
async function movable(app: FastifyInstance, caller: Person, table: 'exampay' | 'examinationitem', id: string) {
  if (!isId(id)) throw refuse('row.notFound')
  const row = await changeable(app, caller, table).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** Whom a change of an exam, a fee or a stage is told. */
function moving(app: FastifyInstance): void {
  serve(app, countMoved, async ({ query, request }) => {
    const { id } = await examInScope(request, query.id)
    const db = liveAs(app, person(request))
    return { people: await countConcerned(db, await concernedBy(db, id, query.fields.split(','))) }
  })
  serve(app, countMovedOfFee, async ({ query, request }) => {
    const { itemId } = await movable(app, person(request), 'exampay', query.id)
    const db = liveAs(app, person(request))
    const fields = query.fields.split(',').map(field => (field === 'endTime' ? 'payEndTime' : ''))
    return { people: await countConcerned(db, await concernedAtStage(db, itemId, fields)) }
  })
  serve(app, countMovedOfStage, async ({ query, request }) => {
    const { id } = await movable(app, person(request), 'examinationitem', query.id)
    const db = liveAs(app, person(request))
    const fields = query.fields.split(',').filter(field => field !== 'payEndTime')
    return { people: await countConcerned(db, await concernedAtStage(db, id, fields)) }
  })
}

/** Notices as staff write them, and who has read them. */
export default async function noticeRoutes(app: FastifyInstance): Promise<void> {
  writing(app)
  reading(app)
  moving(app)
}

interface Sent {
  values: Record<string, unknown>
  /** Attachments uploaded with the notice or before it. */
  files: string[]
}

const listed = (ids: unknown): string[] => commaList(ids).filter(isId)

/** Attachments of one notice. */
const mostFiles = 10
/** A notice as JSON, or as a form with files beside it, which are checked and kept. */
async function receive(app: FastifyInstance, request: FastifyRequest): Promise<Sent> {
  const { fields, files } = formOf(request)
  if (files.length > mostFiles) throw refuse('input.invalid', { 说明: '一个公告最多 10 个附件' })
  const kept: string[] = []
  for (const file of files) {
    const upload = { bytes: await file.bytes(), filename: file.filename, owner: 'notice' as const }
    kept.push((await keepUpload(callerOf(app, request), app.storage, upload)).id)
  }
  return { values: { ...fields }, files: [...listed(fields.fileIds), ...kept] }
}

function writing(app: FastifyInstance): void {
  const codes = { add: permissionOf(notice, 'add'), edit: permissionOf(notice, 'edit') }
  serve(app, submitNotice, async ({ request }) => {
    const { values, files } = await receive(app, request)
    if (!person(request).permissions.has(isNew(values) ? codes.add : codes.edit)) throw refuse('request.forbidden')
    const sending = withFiles(request, files)
    await submit(request, notice, values)
    return { id: sending.id }
  })
  serve(app, noticeFiles, async ({ query, request }) => {
    const { noticeId } = query
    const who = person(request)
    const db = liveAs(app, who)
    // Whoever writes notices also sees those that are not out.
    if (who.permissions.has('notice_view')) await followed(app, who, noticeId)
    else await noticeOf(db, who, app, noticeId)
    return filesOf(db, noticeId)
  })
}

function reading(app: FastifyInstance): void {
  serve(app, examsOfNotices, async ({ query, request }) => examsToFollow(app, person(request), query.scope1))
  serve(app, followedNotices, async ({ query, request }) => noticesToFollow(app, person(request), query))
  serve(app, readerList, async ({ query, request }) => {
    const who = person(request)
    await followed(app, who, query.noticeId)
    return readerPage(app, who, query)
  })
  serve(app, exportReaders, async ({ values, request, reply }) => sendReaders(app, request, reply, values))
}

const columns = [
  { title: '姓名', width: 14 },
  { title: '身份', width: 12 },
  { title: '状态', width: 10 },
  { title: '阅读时间', width: 20, type: 'time' },
  { title: '确认时间', width: 20, type: 'time' },
] as const

/** Who has read a notice and who has not, as a workbook. */
async function sendReaders(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  values: Record<string, unknown>,
) {
  const who = person(request)
  const state = readerStates.find(one => one === textOf(values, 'state'))
  const { id: noticeId, title } = await followed(app, who, idOf(values, 'noticeId'))
  const rows = await readerRows(app, who, { noticeId, ...(state && { state }) })
  const foot = takenBy(who, app.now())
  const book = streamWorkbook({ sheet: '阅读情况', columns, rows, foot })
  return asFile(reply, `阅读情况_${title.slice(0, 40)}.xlsx`).send(book)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { permissionOf } from '#engine'
import { examination } from '#resources/exams/examination'
import { ExamStatus } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { hasDuty, scoped, seesAllRows } from '../../../../crud/scope.ts'
import type { Purpose } from '../../../../crud/scope-rule.ts'
import { transit } from '../../../../crud/transition.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import {
  archiveExam,
  archiveExports,
  beginExam,
  checkArchive,
  checkRelease,
  closeExam,
  copyExam,
  examProposal,
  releaseExam,
} from '../../contract.ts'
import { archiveLines, checkArchivable, exportsFor } from '../archive.ts'
import { begin, proposal } from '../begin.ts'
import { releaseLines } from '../checklist.ts'
import { copy } from '../copy.ts'
import { askRelease } from '../release.ts'

/** Parameters of a call by name, as clients sent them. */
export type Values = Readonly<Record<string, unknown>>

/** Parameters of a call, from the query and the body: clients send either. */
export const valuesOf = (request: FastifyRequest): Values => ({
  ...(request.query as Values),
  ...(request.body as Values | undefined),
})

/** One parameter as text, without blanks around it; empty when it is missing. */
export const textOf = (values: Values, name: string): string => String(values[name] ?? '').trim()

/** An id of the call. @throws input.invalid when it is missing or no id */
export function idOf(values: Values, name = 'id'): string {
  const id = textOf(values, name)
  if (!isId(id)) throw refuse('input.invalid', { 说明: `缺少参数${name}` })
  return id
}

/** What a call is about to do: whatever is not a plain read changes something. */
export const purposeOf = ({ method, routeOptions }: FastifyRequest): Purpose =>
  method === 'GET' && !routeOptions.config.changes ? 'meet' : 'change'

/**
 * The exam of a call, if it is in the caller's scope.
 * @param table whose rows the call is about: the caller's duty in the exam must count for them
 * @throws exams.notFound
 */
export async function examInScope(
  request: FastifyRequest,
  examId: string,
  table: Parameters<typeof hasDuty>[2] = 'examination',
  purpose = purposeOf(request),
) {
  const caller = person(request)
  const exam = await scoped(request.server, caller, 'examination')
    .selectAll()
    .where('id', '=', examId)
    .where(hasDuty(request.server, caller, table, 'examination.id', purpose))
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  return exam
}

/**
 * The exam that the caller would copy: the newest that is not a draft any more, or else the newest, of those of a type.
 * @param examType the type that there are most of where nothing is said
 */
const examToCopy = (request: FastifyRequest, examType: string | undefined) => {
  const mine = scoped(request.server, person(request), 'examination').where(
    hasDuty(request.server, person(request), 'examination', 'examination.id', 'change'),
  )
  const most = mine
    .select('examType')
    .groupBy('examType')
    .orderBy(eb => eb.fn.countAll(), 'desc')
    .orderBy(eb => eb.fn.max('createTime'), 'desc')
    .limit(1)
  return mine
    .selectAll()
    .where('examType', '=', examType ? (examType as never) : most)
    .orderBy(eb => eb.case().when('examStatus', '=', ExamStatus.draft).then(1).else(0).end())
    .orderBy('createTime', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Who is moving the state, and when. */
export const actorOf = (request: FastifyRequest) => ({ userId: person(request).userId, now: request.server.now() })

/** Release, closing, copying, archiving and the lists of what is missing. */
export async function examinationRoutes(app: FastifyInstance): Promise<void> {
  serve(app, releaseExam, async ({ values, request }) => {
    const { id, examStatus } = await examInScope(request, idOf(values))
    if (examStatus === ExamStatus.archived) throw refuse('exams.archived')
    if (await askRelease(app, person(request), id, textOf(values, 'reason')))
      return { message: '已提交审批，考试在审批通过后自动发布。进度见「流程」下的「我发起的」。' }
    await transit(request, examination, 'releaseExam', [id])
    return {}
  })
  serve(app, closeExam, async ({ values, request }) => {
    const { id } = await examInScope(request, idOf(values))
    await transit(request, examination, 'closeExam', [id])
  })
  serve(app, checkRelease, async ({ values, request }) => {
    const { id } = await examInScope(request, idOf(values))
    return (await releaseLines(liveAs(app, person(request)), id, app.now())) ?? []
  })
  serve(app, copyExam, async ({ values, request }) => {
    const shift = Number(textOf(values, 'shiftDays') || 0)
    if (!Number.isInteger(shift) || Math.abs(shift) > 3660)
      throw refuse('input.invalid', { 说明: '日期顺延天数应为整数' })
    const newName = textOf(values, 'newName')
    if (newName.length > 100) throw refuse('input.invalid', { 说明: '考试名称最多 100 字' })
    const { id } = await examInScope(request, idOf(values))
    const caller = person(request)
    const copier = { ...actorOf(request), name: caller.name, appoint: !seesAllRows(caller) }
    return { id: await copy(liveAs(app, caller), id, copier, newName, shift) }
  })
  serve(app, examProposal, async ({ query, request }) => {
    const caller = person(request)
    const copies = caller.permissions.has(permissionOf(examination, 'copyExam'))
    const source = !copies
      ? undefined
      : query.id
        ? await examInScope(request, query.id)
        : await examToCopy(request, query.examType)
    return proposal(liveAs(app, caller), source, app.now())
  })
  serve(app, beginExam, async ({ body, request }) => {
    const { fromId, take, fee, items, ...rest } = body
    if (fromId && !person(request).permissions.has(permissionOf(examination, 'copyExam')))
      throw refuse('request.forbidden')
    const source = fromId ? await examInScope(request, fromId) : undefined
    const id = await begin(request, { ...rest, source, take: new Set(take), fee: fee ?? null, items: items === 1 })
    return { id }
  })
  serve(app, checkArchive, async ({ values, request }) => {
    const { id } = await examInScope(request, idOf(values))
    return (await archiveLines(liveAs(app, person(request)), id, app.now())) ?? []
  })
  serve(app, archiveExports, async ({ query, request }) =>
    exportsFor(liveAs(app, person(request)), await examInScope(request, query.id)),
  )
  serve(app, archiveExam, async ({ values, request }) => {
    const { id, examStatus } = await examInScope(request, idOf(values))
    // Whoever comes too early is told everything that is missing.
    const isEarly = examStatus === ExamStatus.draft || examStatus === ExamStatus.released
    if (isEarly) await checkArchivable(liveAs(app, person(request)), id, app.now())
    await transit(request, examination, 'archive', [id])
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commaList } from '#engine'
import { isId } from '../../../../crud/input.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { readTime } from '../../../../platform/http/server/wire.ts'
import { appointStaff, copyStaff, dismissStaff, staffMatrix, staffPeople } from '../../contract.ts'
import type { Span } from '../../rules/exam-staff.ts'
import { appoint, type Cells, dismiss } from '../staff/appoint.ts'
import { takeOver } from '../staff/copy.ts'
import { matrixOf } from '../staff/matrix.ts'
import { peopleFor } from '../staff/people.ts'
import type { Appointing } from '../staff/write.ts'
import { actorOf, examInScope, idOf, textOf, type Values } from './examination.ts'

/** People and units of one call at most. */
const most = { people: 200, units: 500 }

const wrong = (words: string, field?: string) =>
  refuse('input.invalid', { 说明: words }, field ? [{ field, msg: words }] : undefined)

function roleOf(values: Values): number {
  const role = Number(textOf(values, 'examRole'))
  if (!Number.isInteger(role) || role < 1 || role > 6) throw wrong('考试角色不正确', 'examRole')
  return role
}

const listOf = (value: unknown): string[] => [...new Set(commaList(value))]

/** The people and units of a call; `all` for all units, so that a forgotten list never means everything. */
function cellsOf(values: Values): Cells {
  const userIds = listOf(values.userIds)
  if (userIds.length === 0 || userIds.some(id => !isId(id))) throw wrong('请选择人员', 'userIds')
  const units = values.all === 1 || values.all === '1' || values.all === true ? null : listOf(values.units)
  if (units?.length === 0) throw wrong('请选择单位', 'units')
  if (userIds.length > most.people || (units?.length ?? 0) > most.units)
    throw refuse('workbook.tooManyRows', { n: most.people })
  return { examRole: roleOf(values), userIds, units }
}

function timeOf(values: Values, name: string): Date | null {
  const text = textOf(values, name)
  const time = readTime(text)
  if (text && !time) throw wrong('时间格式不正确', name)
  return time
}

function spanOf(values: Values, now: Date): Span {
  const [startTime, endTime] = [timeOf(values, 'startTime'), timeOf(values, 'endTime')]
  if (endTime && (endTime <= now || (startTime && startTime >= endTime)))
    throw wrong(endTime <= now ? '授权结束应晚于现在' : '授权结束应晚于授权开始', 'endTime')
  return { startTime, endTime }
}

async function appointing(request: FastifyRequest, values: Values): Promise<Appointing> {
  const { id } = await examInScope(request, idOf(values, 'examId'), 'examuser')
  return { ...actorOf(request), examId: id }
}

/** Who works on an exam, unit by unit: the whole of a role at a glance, several people and units at once. */
export async function staffRoutes(app: FastifyInstance): Promise<void> {
  serve(app, staffMatrix, async ({ values, request }) => {
    const exam = await examInScope(request, idOf(values, 'examId'), 'examuser')
    return matrixOf(liveAs(app, person(request)), exam, roleOf(values), app.now())
  })
  serve(app, staffPeople, async ({ values, request }) =>
    peopleFor(liveAs(app, person(request)), roleOf(values), textOf(values, 'keyword')),
  )
  serve(app, appointStaff, async ({ values, request }) => {
    const by = await appointing(request, values)
    return { changed: await appoint(liveAs(app, person(request)), by, cellsOf(values), spanOf(values, by.now)) }
  })
  serve(app, dismissStaff, async ({ values, request }) => {
    const by = await appointing(request, values)
    return { changed: await dismiss(liveAs(app, person(request)), by, cellsOf(values)) }
  })
  serve(app, copyStaff, async ({ values, request }) => {
    const by = await appointing(request, values)
    const from = await examInScope(request, idOf(values, 'fromExamId'), 'examuser', 'meet')
    if (from.id === by.examId) throw wrong('请选择另一个考试', 'fromExamId')
    return takeOver(liveAs(app, person(request)), by, from.id, spanOf(values, by.now))
  })
}

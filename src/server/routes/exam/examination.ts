import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../../access.ts'
import { checkRelease } from '../../actions/exam/checklist.ts'
import { copyExam } from '../../actions/exam/copy.ts'
import { closeExam, releaseExam } from '../../actions/exam/release.ts'
import { scoped } from '../../crud/scope.ts'
import { refuse } from '../../domain/refusal.ts'
import { ok } from '../../plugins/envelope.ts'

const base = '/api/blade-exam/examination'

type Values = Record<string, unknown>

/** Parameters of a call, from the query and the body: clients send either. */
export const valuesOf = (request: FastifyRequest): Values => ({
  ...(request.query as Values),
  ...(request.body as Values | undefined),
})

/** One parameter as text, without blanks around it; empty when it is missing. */
export const textOf = (values: Values, name: string): string => String(values[name] ?? '').trim()

/** An id of the call. @throws 29005 when it is missing or no id */
export function idOf(values: Values, name = 'id'): string {
  const id = textOf(values, name)
  if (!/^\d{1,20}$/.test(id)) throw refuse(29005, { 说明: `缺少参数${name}` })
  return id
}

/** The exam of a call, if it is in the caller's scope. @throws 21001 */
export async function examInScope(request: FastifyRequest, examId: string) {
  const exam = await scoped(request.server, person(request), 'examination')
    .selectAll()
    .where('id', '=', examId)
    .executeTakeFirst()
  if (!exam) throw refuse(21001)
  return exam
}

/** Who is moving the state, and when. */
export const moverOf = (request: FastifyRequest) => ({ userId: person(request).userId, now: request.server.now() })

/**
 * Calls that change state but answer GET too, as clients of this wire send it. A browser sends Origin with what
 * another site makes it do; the credential is a header, so this is a second lock, not the first.
 */
function sameOrigin(request: FastifyRequest): void {
  const { origin, host } = request.headers
  if (origin && new URL(origin).host !== host) throw refuse(29005, { 说明: '来源不被允许' })
}

/** Release, closing, copying and the list of what is missing. */
export async function examinationRoutes(app: FastifyInstance): Promise<void> {
  app.route({
    ...{
      method: ['GET', 'POST'],
      url: `${base}/releaseExam`,
      config: { access: { permission: 'examination_release' } },
    },
    preHandler: async request => sameOrigin(request),
    handler: async request => {
      const values = valuesOf(request)
      const { id } = await examInScope(request, idOf(values))
      await releaseExam(app.db, id, moverOf(request), textOf(values, 'reason'))
      return ok()
    },
  })
  app.route({
    ...{ method: ['GET', 'POST'], url: `${base}/closeExam`, config: { access: { permission: 'examination_close' } } },
    preHandler: async request => sameOrigin(request),
    handler: async request => {
      const values = valuesOf(request)
      const { id } = await examInScope(request, idOf(values))
      await closeExam(app.db, id, moverOf(request), textOf(values, 'reason'))
      return ok()
    },
  })
  app.get(`${base}/checkRelease`, { config: { access: { permission: 'examination_release' } } }, async request => {
    const { id } = await examInScope(request, idOf(valuesOf(request)))
    return ok(await checkRelease(app.db, id, app.now()))
  })
  app.post(`${base}/copyExam`, { config: { access: { permission: 'examination_copy' } } }, async request => {
    const values = valuesOf(request)
    const shift = Number(textOf(values, 'shiftDays') || 0)
    if (!Number.isInteger(shift) || Math.abs(shift) > 3660) throw refuse(29005, { 说明: '日期顺延天数应为整数' })
    const { id } = await examInScope(request, idOf(values))
    return ok({ id: await copyExam(app.db, id, moverOf(request), textOf(values, 'newName'), shift) })
  })
}

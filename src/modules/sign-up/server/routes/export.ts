import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openColumns } from '#resources/sign-up/sheet-columns'
import { answerExport } from '../../../../crud/export.ts'
import type { ExportKind } from '../../../../crud/export-kind.ts'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { confirmPassword, type SentPassword } from '../../../../platform/auth/server/second-password.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { masked } from '../../../../platform/http/server/log-params.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { body, id, paging, query } from '../../../../platform/http/server/schemas.ts'
import { valuesOf } from '../../../exams/server/routes/examination.ts'
import { photoWall, type WallQuery } from '../avatars.ts'
import { type SignupOrder, signupFiles, signupForms, signupList } from '../export-kinds.ts'
import { columnsOf } from '../export-sheet.ts'
import { type Look, reveal } from '../reveal.ts'

const exports = { access: { permission: 'signup_export' } } as const
const base = '/api/blade-signup/signup'

type Order = SignupOrder & SentPassword

/** Texts of a list, sent as such or joined by commas. */
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(',')).map(String).filter(Boolean)

const most = 2000

/** An export as it was sent: options by name, everything else filters. @throws input.invalid */
function orderOf(request: FastifyRequest): Order {
  const { ids, columns, fileCodes, items, reason, password, keyId, ...rest } = valuesOf(request)
  const wanted = listOf(ids)
  if (wanted.length > most || !wanted.every(one => new RegExp(id.pattern).test(one)))
    throw refuse('input.invalid', { 说明: 'ids' })
  const filters = Object.entries(rest).map(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw refuse('input.invalid', { 说明: name.slice(0, 50) })
    return [name, String(value)] as const
  })
  return {
    ids: wanted,
    columns: listOf(columns),
    fileCodes: listOf(fileCodes),
    items: Number(items ?? 0) === 1,
    reason: String(reason ?? '')
      .trim()
      .slice(0, 255),
    filters: Object.fromEntries(filters),
    ...(password ? { password: String(password) } : {}),
    ...(keyId ? { keyId: String(keyId) } : {}),
  }
}

/**
 * Personal data in full leave only with a reason and the own password.
 * @throws input.invalid, auth.credentialsWrong, auth.passwordUnreadable, input.tooOften
 */
async function checkSensitive(request: FastifyRequest, order: Order): Promise<void> {
  if (order.reason.length < 2) throw refuse('input.invalid', { 说明: '请填写导出用途' })
  await confirmPassword(request.server, person(request), order)
}

/** The routes of one kind; `isSensitive` says for which orders a reason and the password are wanted. */
function exportRoute(
  app: FastifyInstance,
  path: string,
  kind: ExportKind<SignupOrder>,
  title: string,
  isSensitive: (order: Order) => boolean,
): void {
  app.exports.add(kind)
  app.post(`${base}/${path}`, { config: exports }, async (request, reply) => {
    const { password, keyId, ...order } = orderOf(request)
    const sensitive = isSensitive(order)
    // What the archive cannot hold is said before anybody types a password.
    await kind.count({ app, person: person(request) }, order, 1)
    if (sensitive) await checkSensitive(request, { ...order, ...(password && { password }), ...(keyId && { keyId }) })
    const { reason, ...wish } = order
    const params = masked(wish) as Record<string, unknown>
    return answerExport(request, reply, kind, order, { bizType: kind.name, title, params, sensitive, reason })
  })
}

/** Exports of sign-ups, the wall of photos, and single numbers in full: `/blade-signup/signup`. */
export default async function signupExportRoutes(app: FastifyInstance): Promise<void> {
  const hasOpenColumns = ({ columns }: Order) =>
    columnsOf(columns).some(one => (openColumns as readonly string[]).includes(one))
  exportRoute(app, 'exportSignUp', signupList, '报名名单', hasOpenColumns)
  exportRoute(app, 'exportSignUpEach', signupForms, '报名表', () => true)
  exportRoute(app, 'exportFilesForUser', signupFiles, '报名附件', () => true)
  wallRoutes(app)
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

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commaList, idPattern } from '#engine'
import { openColumns } from '#resources/sign-up/sheet-columns'
import { answerExport } from '../../../../crud/export.ts'
import type { ExportKind } from '../../../../crud/export-kind.ts'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { confirmPassword, type SentPassword } from '../../../../platform/auth/server/second-password.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { masked } from '../../../../platform/http/server/log-params.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { valuesOf } from '../../../exams/server/routes/examination.ts'
import { exportFiles, exportForms, exportSignups, photoWall, revealNumber } from '../../contract.ts'
import { photosOf } from '../avatars.ts'
import { type SignupOrder, signupFiles, signupForms, signupList } from '../export-kinds.ts'
import { columnsOf } from '../export-sheet.ts'
import { reveal } from '../reveal.ts'

type Order = SignupOrder & SentPassword

const most = 2000
const known = new RegExp(idPattern)

/** An export as it was sent: options by name, everything else filters. @throws input.invalid */
function orderOf(request: FastifyRequest): Order {
  const { ids, columns, fileCodes, items, reason, password, keyId, ...rest } = valuesOf(request)
  const wanted = commaList(ids)
  if (wanted.length > most || !wanted.every(one => known.test(one))) throw refuse('input.invalid', { 说明: 'ids' })
  const filters = Object.entries(rest).map(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw refuse('input.invalid', { 说明: name.slice(0, 50) })
    return [name, String(value)] as const
  })
  return {
    ids: wanted,
    columns: commaList(columns),
    fileCodes: commaList(fileCodes),
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
  endpoint: typeof exportSignups,
  kind: ExportKind<SignupOrder>,
  title: string,
  isSensitive: (order: Order) => boolean,
): void {
  app.exports.add(kind)
  serve(app, endpoint, async ({ request, reply }) => {
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

/** Exports of sign-ups, the wall of photos, and single numbers in full. */
export default async function signupExportRoutes(app: FastifyInstance): Promise<void> {
  const hasOpenColumns = ({ columns }: Order) =>
    columnsOf(columns).some(one => (openColumns as readonly string[]).includes(one))
  exportRoute(app, exportSignups, signupList, '报名名单', hasOpenColumns)
  exportRoute(app, exportForms, signupForms, '报名表', () => true)
  exportRoute(app, exportFiles, signupFiles, '报名附件', () => true)
  wallRoutes(app)
}

function wallRoutes(app: FastifyInstance): void {
  serve(app, photoWall, async ({ query, request }) => photosOf(app, callerOf(app, request), query))
  serve(app, revealNumber, async ({ query, body, request }) => {
    const { field, reason } = body
    const wanted = body.id ?? query.id ?? '0'
    return { [field]: await reveal(app, request, { id: wanted, field, reason }) }
  })
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { commaList } from '#engine'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { FlowRun } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import { makeTransition } from '../../../crud/transition.ts'
import { confirmPassword, type SentPassword } from '../../../platform/auth/server/second-password.ts'
import { type Live, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { readModel } from '../rules/read-model.ts'
import { aboutModel } from './deploy.ts'
import { endRuns } from './end.ts'
import { deployModel, type Source } from './flow-deploy.ts'
import { knownNow } from './known.ts'

/**
 * The tenants something is to be deployed to: the caller's own, or those named, which only the administrator of the
 * installation may.
 * @param list comma-joined tenant numbers
 * @throws 403, input.invalid for a tenant that is not there
 */
export async function tenantsOf(app: FastifyInstance, person: Person, list: string | undefined): Promise<string[]> {
  const wanted = [...new Set(commaList(list))]
  if (wanted.length === 0) return [person.tenantId]
  const isOther = wanted.some(one => one !== person.tenantId)
  if (isOther && !person.roles.includes('administrator')) throw refuse('request.forbidden')
  const rows = await liveAs(app, person)
    .selectFrom(withRemoved('tenant'))
    .select('tenant.tenantId')
    .where('tenant.tenantId', 'in', wanted)
    .execute()
  if (rows.length < wanted.length) throw refuse('input.invalid', { 说明: '租户不存在' })
  return wanted
}

/**
 * Deploys models to tenants, all or none.
 * @param field the input they came by
 * @throws input.invalid when a tenant lacks a role that tasks wait for
 */
export function deployTo(
  app: FastifyInstance,
  { userId }: Person,
  tenants: readonly string[],
  sources: readonly Source[],
  field: string,
): Promise<void> {
  const now = app.now()
  return aboutModel(field, () =>
    liveAcross(app, app)
      .transaction()
      .execute(async trx => {
        for (const tenantId of tenants)
          for (const source of sources)
            await deployModel(liveFor(trx, { tenantId, userId, now: () => now }), now, source)
      }),
  )
}

/** What is deployed, and to which tenants. */
interface Wish {
  modelId: string
  /** Nothing else is deployed where it is given. */
  version: string | undefined
  category: number | undefined
  tenantIds: string | undefined
}

/**
 * Deploys a model of the caller's tenant as it was saved last.
 * @throws row.notFound when it is not there, row.changed when it is another version, input.invalid when it cannot be carried out
 */
export async function deploySaved(app: FastifyInstance, person: Person, wish: Wish): Promise<void> {
  const model = await scoped(app, person, 'flow_deployment')
    .select(['name', 'category', 'xml', 'tenantIds', 'version'])
    .where('id', '=', wish.modelId)
    .executeTakeFirst()
  if (!model) throw refuse('row.notFound')
  if (wish.version && Number(wish.version) !== (model.version ?? 0)) throw refuse('row.changed')
  const tenants = await tenantsOf(app, person, wish.tenantIds ?? model.tenantIds ?? undefined)
  const { name, xml } = model
  const category = wish.category ?? model.category
  const known = await knownNow(app)
  const source = { ...(await aboutModel('xml', () => readModel(xml, known))), name, category, xml }
  await deployTo(app, person, tenants, [source], 'xml')
}

/**
 * Suspends a deployed process or activates it.
 * @throws row.notFound when it is not there, row.wrongState when somebody else has done so
 */
export async function setSuspension(
  app: FastifyInstance,
  caller: Person,
  id: string,
  to: 'suspend' | 'activate',
): Promise<void> {
  const deployed = await scoped(app, caller, 'flow_deployment')
    .select('id')
    .where('id', '=', id)
    .where('deployTime', 'is not', null)
    .executeTakeFirst()
  if (!deployed) throw refuse('row.notFound')
  await liveAs(app, caller)
    .transaction()
    .execute(trx => makeTransition({ app, trx, caller, now: app.now() }, flowDeployment, to, [id]))
}

/** What is taken away, with what runs of it. */
interface Removal extends SentPassword {
  ids: readonly string[]
  /** Ends what is running; wants the caller's password. */
  cascade: boolean
}

async function endAll(app: FastifyInstance, db: Live, person: Person, { ids, cascade }: Removal): Promise<void> {
  const versions = db
    .selectFrom('flow_version')
    .select('id')
    .where('deploymentId', 'in', [...ids])
  const running = await db
    .selectFrom('flow_instance')
    .select('id')
    .where('status', '=', sql.lit(FlowRun.running))
    .where('versionId', 'in', versions)
    .$if(!cascade, query => query.limit(1))
    .execute()
  if (running.length === 0) return
  if (!cascade) throw refuse('row.inUse')
  const ending = { ...person, now: app.now(), reason: '流程部署已删除' }
  const all = running.map(({ id }) => id)
  await endRuns(app, db, all, ending)
}

/** How many of some models have been deployed at some time. */
async function deployedOnce(db: Live, models: readonly { id: string }[]): Promise<number> {
  if (models.length === 0) return 0
  const { n } = await db
    .selectFrom('flow_version')
    .select(eb => eb.fn.count<string>('deploymentId').distinct().as('n'))
    .where(
      'deploymentId',
      'in',
      models.map(({ id }) => id),
    )
    .executeTakeFirstOrThrow()
  return Number(n)
}

/**
 * Takes deployed processes away: nothing can be begun with them any more, the models stay as they are, and what has run
 * can still be looked at.
 * @throws row.notFound when one of them is not there, row.inUse while some are running, auth.credentialsWrong for a
 * wrong password
 */
export async function undeploy(app: FastifyInstance, person: Person, removal: Removal): Promise<void> {
  const ids = removal.ids.filter(isId)
  if (removal.cascade) await confirmPassword(app, person, removal)
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const there = await scoped(app, person, 'flow_deployment', trx)
        .select(['id', 'deployTime', 'updateUser'])
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
      const gone = there.filter(row => row.deployTime === null && isOwnRepeat(row, true, person))
      const wereDeployed = await deployedOnce(trx, gone)
      const own = there.filter(row => row.deployTime !== null).map(row => row.id)
      if (own.length + wereDeployed < removal.ids.length) throw refuse('row.notFound')
      if (own.length === 0) return
      await endAll(app, trx, person, { ...removal, ids: own })
      await trx.updateTable('flow_deployment').set({ deployTime: null }).where('id', 'in', own).execute()
    })
}

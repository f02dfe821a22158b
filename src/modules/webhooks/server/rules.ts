import { isIP } from 'node:net'
import { commaList } from '#engine'
import { domainEvents } from '#resources/events'
import { hook } from '#resources/webhooks/hook'
import { hookdelivery } from '#resources/webhooks/hookdelivery'
import { HookDeliveryStatus, HookStatus } from '#schemas/dictionaries'
import type { Hook } from '#schemas/webhooks/hook'
import { wrongInput } from '../../../crud/input.ts'
import { type ActionContext, guard, type HandlerOf, type Hooks, rules } from '../../../crud/rules.ts'
import { changeable, scoped } from '../../../crud/scope.ts'
import { isPrivateAddress } from '../../../platform/channels/outside/private-address.ts'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { listedHosts, send } from './send.ts'
import { newSecret } from './signature.ts'

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/** Milliseconds for which a secret signs after it was changed. */
const formerTime = 24 * 3_600_000

/** What is wrong with an address; null when nothing is. Where its name leads is looked at when it is asked. */
function addressProblem(text: string, isListed: (host: string, port: string) => boolean): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return '接收地址应以 https:// 开头'
  if (url.username || url.password) return '接收地址不能包含用户名和密码'
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  if (isListed(url.hostname, port)) return null
  if (url.protocol !== 'https:') return '接收地址应以 https:// 开头'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || (isIP(host) && isPrivateAddress(host)))
    return '内网主机须由平台管理员列入系统参数 hook.hosts'
  return null
}

/** Rules of hooks: an address that may be asked, and events that there are. */
const hookHooks: Hooks<typeof Hook> = {
  async beforeSubmit({ app, set }, { url, events }) {
    if (url !== undefined) {
      const problem = addressProblem(url, await listedHosts(app))
      if (problem) throw wrong('url', problem)
    }
    if (events !== undefined) {
      const chosen = [...new Set(commaList(events))]
      const unknown = chosen.find(one => !domainEvents.has(one))
      if (unknown) throw wrong('events', `没有事件${unknown}`)
      set({ events: chosen.join(',') })
    }
  },
}

/** The hook of an action, as it is stored. @throws row.notFound */
async function hookOf({ app, person, id }: Pick<ActionContext, 'app' | 'person' | 'id'>) {
  const row = await scoped(app, person, 'hook').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/**
 * Gives a hook its first secret, or another one beside which the one before signs for a day.
 * @throws row.notFound, row.wrongState
 */
async function giveSecret({ app, db, person, id, now, action }: ActionContext<object>): Promise<{ secret: string }> {
  const secret = newSecret()
  await db.transaction().execute(async trx => {
    const before = await changeable(app, person, 'hook', trx)
      .select(['id', 'secret'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) throw refuse('row.notFound')
    if ((before.secret === null) !== (action === 'issue')) throw refuse('row.wrongState')
    await trx
      .updateTable('hook')
      .set({
        secret: app.vault.seal(secret),
        secretTime: now,
        formerSecret: before.secret,
        formerUntil: before.secret ? new Date(now.getTime() + formerTime) : null,
      })
      .where('id', '=', id)
      .execute()
  })
  return { secret }
}

/** Sends a message that stands for no event, and tells what was answered. @throws row.notFound, row.wrongState */
const testHook: HandlerOf<typeof hook, 'test'> = async ctx => {
  const row = await hookOf(ctx)
  if (!row.secret) throw refuse('row.wrongState')
  const { app, now, person } = ctx
  const body = JSON.stringify({
    type: 'hook.test',
    timestamp: now.toISOString(),
    tenant: person.tenantId,
    exam: row.examId,
    data: { resource: 'hook', id: row.id, fields: {} },
  })
  const { httpStatus, ms, answer } = await send(app, row, { id: `evt_test_${row.id}_${now.getTime()}`, body })
  return { httpStatus, ms, answer }
}

/** Sends again what was given up, of all hooks that are on. */
const replayFailed: HandlerOf<typeof hookdelivery, 'replayFailed'> = async ({ db, now }) => {
  const done = await db
    .updateTable('hookdelivery')
    .set({ deliveryStatus: HookDeliveryStatus.waiting, isReplay: 1, waits: 0, goAt: now, doneTime: null })
    .where('deliveryStatus', '=', HookDeliveryStatus.givenUp)
    .where(eb =>
      eb('hookId', 'in', eb.selectFrom('hook').select('hook.id').where('hook.hookStatus', '=', HookStatus.enabled)),
    )
    .executeTakeFirstOrThrow()
  return { num: Number(done.numUpdatedRows) }
}

/** Rules of hooks and of what is sent to them beyond their definitions. */
export const webhookRules = [
  rules(hook, { hooks: hookHooks, handlers: { issue: giveSecret, rotate: giveSecret, test: testHook } }),
  guard(hook, 'enable', ({ rows }) => {
    if (rows.some(row => !row.secret)) throw refuseSaying('row.wrongState', '请先取得密钥')
  }),
  rules(hookdelivery, { handlers: { replayFailed } }),
  guard(hookdelivery, 'replay', async ({ db, rows }) => {
    const off = await db
      .selectFrom('hook')
      .select('name')
      .where('id', 'in', [...new Set(rows.map(row => row.hookId))])
      .where('hookStatus', '<>', HookStatus.enabled)
      .executeTakeFirst()
    if (off) throw refuseSaying('row.wrongState', '推送已停用，请先启用')
  }),
]

import { randomBytes } from 'node:crypto'
import { permissionOf, wechatTemplates } from '#engine'
import { wechat } from '#resources/resource/wechat'
import { wrongInput } from '../../../../crud/input.ts'
import { type Derive, type HandlerOf, type Hooks, on } from '../../../../crud/rules.ts'
import { scoped } from '../../../../crud/scope.ts'
import { isBlank, isSame } from '../../../../engine/blank.ts'
import { wechatContacts } from '../../../../platform/accounts/server/wechat-binding.ts'
import { ChannelError } from '../../../../platform/channels/fault.ts'
import { readKeywords } from '../../../../platform/channels/wechat/keywords.ts'
import { pushPath } from '../../../../platform/channels/wechat/push-routes.ts'
import { countUp } from '../../../../platform/database/throttle.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { publicUrl } from '../../../../platform/http/server/public-url.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { disableOthers, sealedKeys } from '../../../../platform/settings/server/keys.ts'

/** Trials by one person in an hour. */
const mostProbes = 10

/** What secrets have to look like, and what is said of those that do not. */
const shapes = [
  ['pushToken', /^[A-Za-z0-9]{3,32}$/, '令牌须为3至32位字母或数字'],
  ['aesKey', /^[A-Za-z0-9+/]{43}$/, '消息加解密密钥须为43位字母或数字'],
] as const

/** Rules of official accounts: secrets are written and never read; keywords say what there is; people stay bound to what they follow. */
export const wechatHooks: Hooks<typeof wechat.entity> = {
  async beforeSubmit({ app, db, set }, given, before) {
    for (const [field, shape, msg] of shapes) {
      const sent = given[field]
      if (!isBlank(sent) && !shape.test(String(sent).trim())) throw wrongInput([{ field, msg }])
    }
    for (const template of wechatTemplates) {
      const field = `${template}Keywords` as const
      const whole = { ...before, ...given }
      const found = readKeywords(whole[field] ?? '')
      if (typeof found === 'string') throw wrongInput([{ field, msg: found }])
      if (!isBlank(whole[`${template}Template`]) && found.length === 0)
        throw wrongInput([{ field, msg: '填写了模板ID，须填写它的关键词' }])
    }
    if (before && 'appId' in given && !isSame(given.appId, before.appId)) {
      const bound = db.selectFrom('wechatbinding').select('id').where('wechatId', '=', String(before.id)).limit(1)
      if (await bound.executeTakeFirst())
        throw wrongInput([{ field: 'appId', msg: '已有人绑定这个公众号；更换公众号请新增一条配置' }])
    }
    set(sealedKeys(app.vault, given, ['appSecret', 'pushToken', 'aesKey']))
    // What was changed has its chance.
    if (before?.pausedTime) set({ pausedTime: null, pauseReason: null })
  },
}

/** The account that is put into use is the only one. */
export const wechatRules = [
  on(wechat, 'enable', async ({ db, caller, rows }) => {
    for (const { id } of rows) await disableOthers(db, 'wechat', caller, id)
  }),
]

/** How many are bound to an account, and for whoever may change it the address that is entered at WeChat. */
export const deriveWechat: Derive<typeof wechat> = async ({ app, person, request }, rows) => {
  const counts = await liveAs(app, person)
    .selectFrom('wechatbinding')
    .select(eb => ['wechatId', eb.fn.countAll<string>().as('n')])
    .where('wechatId', 'in', ['0', ...rows.map(({ id }) => id)])
    .groupBy('wechatId')
    .execute()
  const mayEdit = request !== null && person.permissions.has(permissionOf(wechat, 'edit'))
  return rows.map(({ id }) => ({
    bound: Number(counts.find(one => one.wechatId === id)?.n ?? 0),
    pushUrl: mayEdit ? `${publicUrl(app)}/api${pushPath(id)}` : null,
  }))
}

/**
 * Asks WeChat for an access token by an account, in use or not, and sends the caller a message where the caller is bound to it.
 * @returns what came of it
 * @throws row.notFound, input.tooOften
 */
export const probeWechat: HandlerOf<typeof wechat, 'probe'> = async ({ app, db, person, id: wechatId, now }) => {
  const { tenantId, userId } = person
  const row = await scoped(app, person, 'wechat').select('id').where('id', '=', wechatId).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  if ((await countUp(app, `wechat:probe:${userId}`, 3600, now)) > mostProbes) throw refuse('input.tooOften')
  try {
    await app.wechat.probe(tenantId, wechatId)
    const [contact] = await wechatContacts(app, db, [userId], wechatId)
    if (!contact) return { msg: '已取得访问凭证；您没有绑定这个公众号，未发测试消息' }
    const id = `probe-${randomBytes(12).toString('hex')}`
    const values = { 事项: '测试消息', 内容: '收到即表示公众号可用', 时间: now, 截止时间: now }
    const message = { id, tenantId, wechatId, openid: contact.address, template: 'result', values } as const
    await app.wechat.send({ ...message, url: publicUrl(app) })
    return { msg: '已取得访问凭证，并向您的微信发出测试消息' }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    return { msg: `未能发送：${error.message}` }
  }
}

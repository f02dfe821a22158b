import type { FastifyInstance } from 'fastify'
import { asksCodeToRegister, canSendCodes } from '../actions/sms/code.ts'
import { smsSandboxPath } from '../channels/sms/sandbox/plugin.ts'
import { demoPassword } from '../config.ts'
import { readParam } from '../database/param.ts'
import { inEnglish } from '../domain/english.ts'
import { wantsEnglish } from '../domain/refusal-english.ts'
import { ok } from '../plugins/envelope.ts'

/** Accounts of the demo by what they are; those that exist are named on the login page. */
const demoNames: Readonly<Record<string, string>> = {
  admin: '管理员',
  kaowu: '考务管理员',
  chushen: '初审员',
  fushen: '复审员',
  caiwu: '财务',
  kaosheng: '考生',
}

async function demoAccounts(app: FastifyInstance, said: (text: string) => string) {
  if (!app.config.demo) return []
  // Whoever set a password for the administrator does not want it here.
  const accounts = Object.keys(demoNames).filter(account => account !== 'admin' || !app.config.adminPassword)
  const rows = await app.db
    .selectFrom('user')
    .select('account')
    .where('account', 'in', accounts)
    .where('tenantId', '=', '000000')
    .where('isDeleted', '=', 0)
    .execute()
  return accounts
    .filter(account => rows.some(row => row.account === account))
    .map(account => ({ account, name: said(demoNames[account] ?? account), password: demoPassword }))
}

/** What pages must know before anybody has logged in. */
export default async function siteRoutes(app: FastifyInstance): Promise<void> {
  app.get('/api/public/site', { config: { access: 'public' } }, async (request, reply) => {
    const tenant = request.headers['tenant-id']
    const tenantId = typeof tenant === 'string' && tenant ? tenant : '000000'
    const [title, register, audit] = await Promise.all(
      ['site.title', 'site.register', 'register.audit'].map(key => readParam(app.db, tenantId, key)),
    )
    const { captchaMode, tenantMode, switchMode, registerMode } = app.config
    const said = wantsEnglish(request.headers['accept-language']) ? inEnglish : (text: string) => text
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-language' })
    return ok({
      title: said(title ?? '聚贤考试报名系统'),
      registerMode: register === undefined ? registerMode : register === 'true' || register === '1',
      ...{ captchaMode, tenantMode, switchMode, registerAudit: audit !== '0', demo: app.config.demo },
      ...{ smsMode: await canSendCodes(app.db, tenantId), registerSms: await asksCodeToRegister(app.db, tenantId) },
      // Where the demonstration's messages are read.
      smsSandbox: app.config.demo ? `${smsSandboxPath}/` : '',
      demoAccounts: await demoAccounts(app, said),
    })
  })
}

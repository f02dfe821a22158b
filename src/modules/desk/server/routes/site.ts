import type { FastifyInstance } from 'fastify'
import type { AnswerOf } from '#engine'
import { demoStaff } from '../../../../platform/accounts/server/demo-accounts.ts'
import { asksCodeToRegister, canSendCodes } from '../../../../platform/auth/server/sms/code.ts'
import { smsSandboxPath } from '../../../../platform/channels/sms/sandbox/plugin.ts'
import { demoPassword } from '../../../../platform/config/config.ts'
import { firstTenant } from '../../../../platform/database/first-tenant.ts'
import { readParam } from '../../../../platform/database/param.ts'
import { siteInfo } from '../../../../platform/http/contract.ts'
import { askedTenant } from '../../../../platform/http/server/asked-tenant.ts'
import { liveIn } from '../../../../platform/http/server/live.ts'
import { wantsEnglish } from '../../../../platform/http/server/refusal-english.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { inEnglish } from '../../../../platform/i18n/english.ts'

/** Accounts of the demo by what they are; those that exist are named on the login page. */
const demoNames: Readonly<Record<string, string>> = {
  admin: '超级管理员',
  ...Object.fromEntries(demoStaff.map(([account, , , title]) => [account, title])),
  kaosheng: '考生',
}

/** What a site is like. */
type Site = AnswerOf<typeof siteInfo>

async function demoAccounts(app: FastifyInstance) {
  if (!app.config.demo) return []
  // Whoever set a password for the administrator does not want it here.
  const accounts = Object.keys(demoNames).filter(account => account !== 'admin' || !app.config.adminPassword)
  const rows = await liveIn(app, firstTenant)
    .selectFrom('user')
    .select('account')
    .where('account', 'in', accounts)
    .execute()
  return accounts
    .filter(account => rows.some(row => row.account === account))
    .map(account => ({ account, name: demoNames[account] ?? account, password: demoPassword }))
}

async function siteOf(app: FastifyInstance, tenantId: string): Promise<Site> {
  const { captchaMode, tenantMode, switchMode, demo } = app.config
  const db = liveIn(app, tenantId)
  const [title, register, audit, smsMode, registerSms, heic, accounts] = await Promise.all([
    readParam(db, 'site.title'),
    readParam(db, 'site.register'),
    readParam(db, 'register.audit'),
    canSendCodes(db),
    asksCodeToRegister(db),
    readParam(db, 'photo.heic'),
    demoAccounts(app),
  ])
  return {
    title,
    registerMode: register === 'true',
    captchaMode,
    tenantMode,
    switchMode,
    registerAudit: audit !== '0',
    demo,
    smsMode,
    registerSms,
    ...(app.storage.arrivals && { directUploads: true }),
    ...(heic === 'true' && { heic: true }),
    // Where the demonstration's messages are read.
    smsSandbox: demo ? `${smsSandboxPath}/` : '',
    demoAccounts: accounts,
  }
}

/** What a page may be told about a site, by its language. */
export const inBothLanguages = <T extends { title: string }>(site: T) => ({
  'zh-CN': site,
  en: { ...site, title: inEnglish(site.title) },
})

const english = (site: Site): Site => ({
  ...site,
  title: inEnglish(site.title),
  demoAccounts: site.demoAccounts.map(one => ({ ...one, name: inEnglish(one.name) })),
})

/** What the sign-in page would ask first: the site of the first tenant, by the language of the page. */
export async function siteByLanguage(app: FastifyInstance): Promise<Record<'zh-CN' | 'en', Site>> {
  const site = await siteOf(app, firstTenant)
  return { 'zh-CN': site, en: english(site) }
}

/** What pages must know before anybody has logged in. */
export default async function siteRoutes(app: FastifyInstance): Promise<void> {
  serve(app, siteInfo, async ({ request, reply }) => {
    const site = await siteOf(app, askedTenant(request))
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-language' })
    return wantsEnglish(request.headers['accept-language']) ? english(site) : site
  })
}

import type { FastifyInstance } from 'fastify'
import { publicUrl } from '../../../http/server/public-url.ts'
import { escapeHtml } from '../../../pdf/plain-text.ts'
import { languageOf, sandboxPage, sandboxPaths } from '../../sandbox/page.ts'
import { openidOf, phoneOf, phoneOptions } from './phones.ts'

/** What a page that is opened inside WeChat is asked with. */
interface Visit {
  readonly appId: string
  /** The page that it leads back to. */
  readonly back: string
  readonly state: string
}

const path = '/visit'
const open = { config: { access: 'public' as const } }

/** The address of the page on which one of the phones is chosen. */
export const sandboxVisit = (app: FastifyInstance, { appId, back, state }: Visit): string =>
  `${publicUrl(app)}${sandboxPaths.wechat}${path}?${new URLSearchParams({ appid: appId, redirect_uri: back, state })}`

const mark = 'visit-'

/** What a phone leads back with. */
const codeOf = (appId: string, phone: number): string => `${mark}${openidOf(appId, phone)}`

/** The phone's number at an account that has led back with a code; undefined for what is no code. */
export const visitorOf = (code: string): string | undefined =>
  code.startsWith(mark) ? code.slice(mark.length) : undefined

/** The page inside WeChat of the demonstration that asks who somebody is: there each phone opens it. */
export default async function sandboxVisits(app: FastifyInstance): Promise<void> {
  app.get(path, open, async (request, reply) => {
    const say = languageOf(request.headers['accept-language'])
    const e = (text: string) => escapeHtml(say(text))
    const body = `<form method="post"><label for="phone">${e('沙箱手机')}</label>
<select id="phone" name="phone">${phoneOptions(1, say)}</select>
<button type="submit">${e('在这部手机上继续')}</button></form>`
    const about = '绑定页面在微信中打开时，微信会告诉系统是谁打开的。这里选择用哪部沙箱手机打开。'
    reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-store')
    return reply.send(sandboxPage({ tab: 'wechat', title: '微信沙箱', about, body }, say))
  })
  app.post(path, open, async (request, reply) => {
    const { appid = '', redirect_uri: back = '', state = '' } = request.query as Record<string, string>
    const { phone } = (request.body ?? {}) as { phone?: unknown }
    // Pages of this server alone are led back to.
    const isOurs = URL.canParse(back) && new URL(back).origin === new URL(publicUrl(app)).origin
    const to = new URL(isOurs ? back : publicUrl(app))
    to.searchParams.set('code', codeOf(appid, phoneOf(phone)))
    to.searchParams.set('state', state)
    return reply.redirect(to.href, 303)
  })
}

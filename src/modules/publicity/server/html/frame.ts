import type { FastifyReply, FastifyRequest } from 'fastify'
import { wireTime } from '../../../../platform/http/server/wire.ts'
import { inEnglish } from '../../../../platform/i18n/english.ts'
import { html, Markup } from './markup.ts'

/** A page in one language. */
export interface Speech {
  lang: 'zh-CN' | 'en'
  /** A text of ours in the language of the page. */
  say: (text: string) => string
  /** An address of these pages, in the same language. */
  to: (path: string, query?: Readonly<Record<string, string>>) => string
}

/** The language that a request asks for: Chinese unless its address says `lang=en`. */
export function speechOf({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): Speech {
  const named = [query, body].map(values => (values as { lang?: unknown } | undefined)?.lang)
  const isEnglish = named.includes('en')
  return {
    lang: isEnglish ? 'en' : 'zh-CN',
    say: text => (isEnglish ? inEnglish(text) : text),
    to: (path, values = {}) => {
      const asked = new URLSearchParams({ ...values, ...(isEnglish && { lang: 'en' }) }).toString()
      return asked ? `${path}?${asked}` : path
    },
  }
}

/** A time as people read it, without its seconds. */
export const shownTime = (at: Date): string => wireTime(at).slice(0, 16)

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59616b; --line: #d5dae0; --ground: #f4f6f8; --paper: #fff; --main: #1457c8;
  --on-main: #fff; --warn: #8a4b00; --warn-ground: #fff4e0; --bad: #b42318; --mark: #fff2b8 }
@media (prefers-color-scheme: dark) { :root { --ink: #eceff2; --soft: #a9b1ba; --line: #3a4149; --ground: #15181b; --paper: #1f2327;
  --main: #7fb0ff; --on-main: #0b1a33; --warn: #ffcf8a; --warn-ground: #3a2c12; --bad: #ff9a90; --mark: #5a4a00 } }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--ground); overflow-wrap: anywhere;
  font: 16px/1.65 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif }
a { color: var(--main) }
header { display: flex; align-items: center; gap: 16px; padding: 2px max(16px, calc((100vw - 1000px) / 2)); overflow-x: auto;
  scrollbar-width: none; white-space: nowrap; border-bottom: 1px solid var(--line); background: var(--paper) }
header a { display: inline-block; padding: 10px 0; text-decoration: none }
header strong { margin-inline-end: auto }
header strong a { color: inherit }
main { max-width: 1000px; margin: 0 auto; padding: 20px 16px 56px }
h1 { margin: 4px 0 8px; font-size: 24px; line-height: 1.35 }
h2 { margin: 28px 0 8px; font-size: 18px }
p { margin: 0 0 10px }
.soft, small, time { color: var(--soft) }
.card { margin: 0 0 16px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper) }
.note { margin: 0 0 16px; padding: 12px 16px; border-radius: 10px; color: var(--warn); background: var(--warn-ground); font-weight: 600 }
.bad { color: var(--bad); font-weight: 600 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 }
dt { color: var(--soft) } dd { margin: 0 }
dd.hash { font: 13px/1.6 ui-monospace, Consolas, monospace; word-break: break-all }
ul.rows { margin: 0; padding: 0; list-style: none }
ul.rows li { padding: 12px 0; border-bottom: 1px solid var(--line) }
ul.rows li:last-child { border: 0 }
ul.rows a { display: block; font-weight: 600 }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--paper) }
table { width: 100%; border-collapse: collapse; font-size: 15px }
th, td { padding: 8px 10px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
th { color: var(--soft); font-weight: 600; white-space: nowrap }
tr.found td { background: var(--mark) }
form.find { display: flex; gap: 8px; margin: 0 0 12px }
form.find input { flex: 1 }
label { display: block; margin: 14px 0 4px; font-weight: 600 }
fieldset { margin: 14px 0 0; padding: 0; border: 0 } legend { padding: 0; font-weight: 600 }
label.choice { display: flex; gap: 8px; align-items: center; min-height: 44px; margin: 0; font-weight: 400 }
input:not([type=radio]), select, textarea { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--soft);
  border-radius: 8px; color: inherit; background: transparent; font: inherit }
textarea { min-height: 160px } option { color: #1b1f24; background: #fff }
input[type=radio] { width: 20px; height: 20px; margin: 0 }
button, a.button { display: inline-block; min-height: 44px; padding: 8px 20px; border: 1px solid var(--main); border-radius: 8px;
  color: var(--main); background: transparent; font: inherit; text-decoration: none; cursor: pointer; white-space: nowrap }
button.main, a.main { color: var(--on-main); background: var(--main) }
.acts { display: flex; flex-wrap: wrap; gap: 10px; margin: 14px 0 }
.receipt { font: 600 26px/1.4 ui-monospace, Consolas, monospace; letter-spacing: 1px }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
@media (max-width: 600px) {
  dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: 8px }
  table.stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.stack tr { display: block; padding: 8px 12px; border-bottom: 1px solid var(--line) }
  table.stack tr.found { background: var(--mark) }
  table.stack td { display: flex; gap: 12px; padding: 2px 0; border: 0 }
  table.stack td::before { content: attr(data-title); flex: 0 0 6em; color: var(--soft) }
}
@media print { header, form, .acts, .pages, .noprint { display: none } body { background: #fff; color: #000 } main { max-width: none; padding: 0 }
  .scroll, .card { border: 0; padding: 0 } th, td { border: 1px solid #999; padding: 4px 6px } tr { break-inside: avoid } thead { display: table-header-group } }
`

interface Page {
  speech: Speech
  title: string
  /** The same page in the other language; nothing where it was sent as a form. */
  self?: string
  content: Markup
}

/** A whole page, which needs no script. */
export function pageText({ speech, title, self, content }: Page): string {
  const { lang, say, to } = speech
  const other = lang === 'en' ? 'zh' : 'en'
  const switched = self && `${self}${self.includes('?') ? '&' : '?'}lang=${other}`
  return html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${new Markup(style)}</style></head><body>
<header><strong><a href="/public/index">${say('首页')}</a></strong>
<a href="${to('/public/publicity')}">${say('公示')}</a> <a href="${to('/public/objection')}">${say('异议')}</a>
${switched && html`<a href="${switched}" lang="${other}">${lang === 'en' ? '中文' : 'English'}</a>`}</header>
<main id="main">${content}</main></body></html>`.text
}

/** Sends a page that no search engine keeps. @param seconds for which others may keep it; none for what is somebody's own */
export function sendPage(reply: FastifyReply, page: Page, seconds = 0): FastifyReply {
  return reply
    .headers({
      'x-robots-tag': 'noindex',
      'cache-control': seconds > 0 ? `public, max-age=${seconds}` : 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(pageText(page))
}

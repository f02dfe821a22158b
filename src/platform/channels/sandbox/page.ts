import { inEnglish } from '../../i18n/english.ts'
import { escapeHtml } from '../../pdf/plain-text.ts'

/** The sheet of the pages; served apart, so that a strict content policy lets it through. */
export const sandboxStyle = `
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 560px; min-height: 100vh; padding: 32px 20px;
  font: 16px/1.6 system-ui, "PingFang SC", "Noto Sans SC", sans-serif; color: #1a1a1a; background: #f4f5f6 }
h1 { margin: 0 0 4px; font-size: 20px; font-weight: 600 }
h2 { margin: 0; font-size: 16px; font-weight: 600 }
p, time, small { margin: 0; color: #5c5f66; font-size: 14px }
nav { display: flex; gap: 20px; margin: 12px 0 0; border-bottom: 1px solid #c9ccd1 }
nav a { display: block; padding: 10px 2px; color: inherit; text-decoration: none; border-bottom: 3px solid transparent }
nav a[aria-current] { border-color: #1457c8; font-weight: 600 }
nav + p { margin-top: 16px }
form { display: flex; flex-wrap: wrap; gap: 8px; margin: 20px 0 }
label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
input, select, button { min-height: 44px; border-radius: 8px; font: inherit }
input, select { flex: 1 1 260px; min-width: 0; padding: 0 12px; border: 1px solid #8a8f98; color: inherit; background: transparent }
button { padding: 0 20px; border: 0; color: #fff; background: #1457c8; cursor: pointer }
a { color: #1457c8 }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid #0a0a0a; outline-offset: 2px }
ol { margin: 0; padding: 0; list-style: none }
li { margin-bottom: 12px; padding: 12px 16px; border-radius: 12px; background: #fff; overflow-wrap: anywhere }
li div { white-space: pre-wrap }
li small { display: block }
li small[data-bad="1"] { color: #b3261e }
code { overflow-wrap: anywhere; font-size: 13px }
li h2 + div { margin: 8px 0; padding-top: 8px; border-top: 1px solid #e3e5e8 }
@media (prefers-color-scheme: dark) { body { color: #f2f2f2; background: #16181a } li { background: #24272b }
  p, time, small { color: #b3b8bf } a { color: #8ab4ff } nav { border-color: #4a4f57 } nav a { color: inherit }
  nav a[aria-current] { border-color: #8ab4ff } li h2 + div { border-color: #3a3f46 }
  li small[data-bad="1"] { color: #ff8a80 }
  a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible { outline-color: #fff } }
`

/** The pages of the sandbox, by their paths on this server. */
export const sandboxPaths = {
  sms: '/sandbox/sms',
  mail: '/sandbox/mail',
  wechat: '/sandbox/wechat',
  hook: '/sandbox/hook',
} as const

const tabs = [
  ['sms', '短信'],
  ['mail', '邮件'],
  ['wechat', '微信'],
  ['hook', '推送'],
] as const

/** What a page of the sandbox shows. */
export interface SandboxPage {
  /** Which of the pages it is. */
  readonly tab: keyof typeof sandboxPaths
  readonly title: string
  /** What it is for, in a sentence. */
  readonly about: string
  /** Markup below the tabs. */
  readonly body: string
}

/** A word of the page in its language. */
export type Say = (chinese: string) => string

/** The language in which somebody opens the sandbox: that of the browser, as no page leads here with a language. */
export const languageOf = (acceptLanguage: string | undefined): Say =>
  /^en\b/i.test(acceptLanguage ?? '') ? inEnglish : chinese => chinese

/** A page on which whoever tries the demonstration reads what it has sent. */
export function sandboxPage({ tab, title, about, body }: SandboxPage, say: Say): string {
  const links = tabs.map(
    ([key, name]) =>
      `<a href="${sandboxPaths[key]}/"${key === tab ? ' aria-current="page"' : ''}>${escapeHtml(say(name))}</a>`,
  )
  return `<!doctype html>
<html lang="${say === inEnglish ? 'en' : 'zh-CN'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(say(title))}</title><link rel="stylesheet" href="${sandboxPaths[tab]}/sandbox.css"></head><body>
<h1>${escapeHtml(say(title))}</h1>
<p>${escapeHtml(say(about))}</p>
<nav>${links.join('')}</nav>
${body}
</body></html>`
}

/** A time as the pages show it, in Shanghai. */
export const shownTime = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

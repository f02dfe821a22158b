import type { OutboxMessage } from './outbox.ts'

/** The sheet of the page; served apart, so that a strict content policy lets it through. */
export const inboxStyle = `
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 480px; min-height: 100vh; padding: 32px 20px;
  font: 16px/1.6 system-ui, "PingFang SC", "Noto Sans SC", sans-serif; color: #1a1a1a; background: #f4f5f6 }
h1 { margin: 0 0 4px; font-size: 20px; font-weight: 600 }
p, time { margin: 0; color: #5c5f66; font-size: 14px }
form { display: flex; gap: 8px; margin: 20px 0 }
label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
input, button { min-height: 44px; border-radius: 8px; font: inherit }
input { flex: 1; min-width: 0; padding: 0 12px; border: 1px solid #8a8f98; color: inherit; background: transparent }
button { padding: 0 20px; border: 0; color: #fff; background: #1457c8; cursor: pointer }
button:focus-visible, input:focus-visible { outline: 3px solid #0a0a0a; outline-offset: 2px }
ol { margin: 0; padding: 0; list-style: none }
li { margin-bottom: 12px; padding: 12px 16px; border-radius: 12px; background: #fff; overflow-wrap: anywhere }
li div { white-space: pre-wrap }
@media (prefers-color-scheme: dark) { body { color: #f2f2f2; background: #16181a } li { background: #24272b }
  p, time { color: #b3b8bf } button:focus-visible, input:focus-visible { outline-color: #fff } }
`

/** The page on which a demo user reads what was sent to a number. `base` is the path of the sandbox. */
export function inboxPage(base: string, phone: string, messages: readonly OutboxMessage[]): string {
  const items = messages.map(
    ({ content, time }) => `<li><time>${shown(time)}</time><div>${escapeHtml(content)}</div></li>`,
  )
  const list = items.length > 0 ? `<ol>${items.join('')}</ol>` : '<p role="status">该号码没有短信。</p>'
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>短信沙箱</title><link rel="stylesheet" href="${base}/inbox.css"></head><body>
<h1>短信沙箱</h1>
<p>演示环境不向运营商发送短信，发出的内容在这里查看。</p>
<form method="post"><label for="phone">手机号码</label>
<input id="phone" name="phone" inputmode="numeric" maxlength="11" pattern="1[3-9][0-9]{9}" required
  placeholder="手机号码" value="${escapeHtml(phone)}"><button type="submit">查看</button></form>
${phone ? list : ''}
</body></html>`
}

const shown = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, sign => entities[sign] ?? sign)
}

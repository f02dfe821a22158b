import type { SandboxOrder } from './orders.ts'

/** The sheet of the cashier pages; served apart, so that a strict content policy lets it through. */
export const cashierStyle = `
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; gap: 8px;
  padding: 48px 20px; font: 16px/1.6 system-ui, "PingFang SC", "Noto Sans SC", sans-serif; color: #1a1a1a; background: #f4f5f6 }
h1 { margin: 0; font-size: 18px; font-weight: 500 }
p { margin: 0; text-align: center; overflow-wrap: anywhere }
.amount { margin: 24px 0; font-size: 44px; font-weight: 600; line-height: 1.1 }
.note { color: #5c5f66; font-size: 14px }
form { width: 100%; max-width: 360px; margin-top: 16px }
button { width: 100%; min-height: 48px; border: 0; border-radius: 8px; font: inherit; font-size: 18px; color: #fff;
  background: #067d43; cursor: pointer }
button:focus-visible { outline: 3px solid #0a0a0a; outline-offset: 2px }
@media (prefers-color-scheme: dark) { body { color: #f2f2f2; background: #16181a } .note { color: #b3b8bf }
  button:focus-visible { outline-color: #fff } }
`

/** The page on which a person "pays". `base` is the path of the sandbox. */
export function cashierPage(order: SandboxOrder, base: string, now: Date): string {
  const open = order.state === 'NOTPAY' && order.expireTime > now
  const form = open ? '<form method="post"><button type="submit">支付</button></form>' : ''
  return page(
    base,
    `<h1>聚贤 · 人才招聘考试</h1>
<p>${escapeHtml(order.body)}</p>
<p class="amount">¥${(order.amount / 100).toFixed(2)}</p>
<p role="status">${stateText(order, open)}</p>
<p class="note">订单号 ${escapeHtml(order.orderNo)}</p>
<p class="note">演示收银台，不产生真实扣款</p>${form}`,
  )
}

/** The page of a code that leads nowhere. */
export function missingPage(base: string): string {
  return page(base, '<h1>订单不存在</h1><p>请回到报名页面重新获取二维码。</p>')
}

function stateText(order: SandboxOrder, open: boolean): string {
  if (open) return '待支付'
  if (order.state === 'SUCCESS') return '支付成功，请回到报名页面查看'
  return '订单已关闭，请回到报名页面重新获取二维码'
}

function page(base: string, content: string): string {
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>收银台</title><link rel="stylesheet" href="${base}/cashier.css"></head><body>
${content}
</body></html>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, sign => entities[sign] ?? sign)
}

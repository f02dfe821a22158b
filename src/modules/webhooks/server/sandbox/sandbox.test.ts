import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { newSecret } from '../signature.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const base = '/sandbox/hook'
const secret = newSecret()

/** Sends a message as another program of the standard signs it. */
async function send(id: string, { signedBy = secret, ageSeconds = 0, changed = '' } = {}) {
  const time = new Date(t.app.now().getTime() - ageSeconds * 1000)
  const body = JSON.stringify({ type: 'signup.passed', data: { resource: 'signup', id: '1', fields: {} } })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(signedBy).sign(id, time, body),
  }
  const reply = await t.app.inject({ method: 'POST', url: `${base}/in`, headers, payload: changed || body })
  return reply.statusCode
}
const shown = async () => (await t.app.inject({ url: `${base}/`, headers: { 'accept-language': 'zh' } })).body
const hand = async (given: string) =>
  (
    await t.app.inject({
      method: 'POST',
      url: `${base}/`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ secret: given }).toString(),
    })
  ).body

test('the receiver of the demonstration takes what is signed by a secret that it was handed, and shows all that came', async () => {
  expect(await shown()).toContain('还没有收到推送。')
  expect(await send('evt_1')).toBe(400)
  expect(await hand('secret')).toContain('whsec_ 开头，请完整粘贴')
  expect(await hand(` ${secret} `)).toContain('密钥已交给接收方。')
  expect(await send('evt_2')).toBe(204)
  expect(await send('evt_2')).toBe(204)
  expect(await send('evt_3', { signedBy: newSecret() })).toBe(400)
  expect(await send('evt_4', { ageSeconds: 301 })).toBe(400)
  expect(await send('evt_5', { changed: '{"type":"<script>"}' })).toBe(400)
  const page = await shown()
  const items = page.split('<li>').slice(1)
  expect(items.map(item => [/evt_\d/.exec(item)?.[0], item.includes('签名有效'), item.includes('重复收到')])).toEqual([
    ['evt_5', false, false],
    ['evt_4', false, false],
    ['evt_3', false, false],
    ['evt_2', true, true],
    ['evt_2', true, false],
    ['evt_1', false, false],
  ])
  expect(page).toContain('signup.passed')
  expect(page).not.toContain('<script>')
})

test('shows the headers of what came, and answers the next ones with a fault when told to', async () => {
  const set = async (faults: string) =>
    (
      await t.app.inject({
        method: 'POST',
        url: `${base}/`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'zh' },
        payload: new URLSearchParams({ faults }).toString(),
      })
    ).body
  await hand(secret)
  expect(await set('2')).toContain('value="2"')
  expect([await send('evt_6'), await send('evt_6'), await send('evt_6')]).toEqual([503, 503, 204])
  const [third = '', second = ''] = (await shown()).split('<li>').slice(1)
  const stamp = Math.floor(t.app.now().getTime() / 1000)
  expect(third).toContain(`webhook-timestamp: ${stamp}`)
  expect(third).toContain('webhook-id: evt_6')
  expect(third).toMatch(/webhook-signature: v1,\S{40}/)
  expect([second.includes('已按设定回答失败'), third.includes('已按设定回答失败')]).toEqual([true, false])
  expect(await set('-4')).toContain('value="0"')
  expect(await set('99')).toContain('value="9"')
  await set('0')
})

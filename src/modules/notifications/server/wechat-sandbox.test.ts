import { afterAll, beforeAll, expect, test } from 'vitest'
import { EnableStatus } from '#schemas/dictionaries'
import { Wechat } from '#schemas/resource/wechat'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { applicant, get, makeExam, post, signApp, submit } from '../../../../tests/helper/sign-bench.ts'
import { deliverDue } from './deliveries.ts'
import { tellDue } from './tell.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t?.close())

const base = '/sandbox/wechat'
const own = '/api/blade-system/user'
const shown = async (query = '', language = 'zh') =>
  (await t.app.inject({ url: `${base}/${query}`, headers: { 'accept-language': language } })).body
const press = async (act: string, phone: number, qr = '') =>
  (
    await t.app.inject({
      method: 'POST',
      url: `${base}/`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'zh' },
      payload: new URLSearchParams({ act, phone: String(phone), qr }).toString(),
    })
  ).body
const items = (page: string) => page.split('<li>').slice(1)

test('a phone of the demonstration follows, is bound by its scan, shows what it is told, and no more once it has left', async () => {
  expect(await shown()).toContain('还没有启用公众号。')
  expect(await shown('', 'en')).not.toMatch(/[\u4e00-\u9fff]/)
  const { vault } = t.app
  await insert(t.app, Wechat, {
    accountName: '沙箱公众号<b>',
    appId: 'wx0000000000000001',
    appSecret: vault.seal('secret'),
    pushToken: vault.seal('token'),
    // Encrypted as WeChat does.
    aesKey: vault.seal('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'),
    resultTemplate: 'result',
    resultKeywords: 'thing1=考试 thing2=事项 time3=时间',
    wechatStatus: EnableStatus.enabled,
  })
  const fresh = await shown()
  expect(fresh).toContain('沙箱公众号&#60;b&#62;：未关注')
  expect(fresh).toContain('还没有消息。')

  const who = await applicant(t)
  const { id, url } = (await post<{ id: string; url: string }>(t, who, `${own}/begin-wechat`, {})).data
  const qr = new URL(url).searchParams.get('qr') ?? ''
  expect(new URL(url).pathname).toBe(`${base}/`)
  expect(await shown(`?qr=${qr}`)).toContain('关注并扫描二维码')
  const scanned = await press('scan', 2, qr)
  expect(scanned).toContain('：已关注')
  const code = /确认码 (\d{6})/.exec(scanned)?.[1] ?? ''
  // Another phone has seen nothing of it.
  expect(items(await shown('?phone=1'))).toEqual([])
  expect((await post(t, who, `${own}/confirm-wechat`, { id, code })).code).toBe(200)

  const { exam } = await makeExam(t)
  await submit(t, who, exam.id)
  await tellDue(t.app)
  await deliverDue(t.app)
  const told = items(await shown('?phone=2'))
  expect(told).toHaveLength(2)
  expect(told[0]).toContain('打开消息')
  expect(told[0]).toContain('thing1')

  expect(await press('unfollow', 2)).toContain('：未关注')
  const [, , wechat] = (await get<{ isConfirmed: boolean }[]>(t, who, `${own}/channels`)).data
  expect(wechat?.isConfirmed).toBe(false)
  // A page that is opened inside the WeChat of a phone leads back with what that phone is.
  const { inside } = (await post<{ inside: string }>(t, who, `${own}/begin-wechat`, {})).data
  const { pathname, search } = new URL(inside)
  const ask = (language: string) => t.app.inject({ url: pathname + search, headers: { 'accept-language': language } })
  expect((await ask('zh')).body).toContain('在这部手机上继续')
  expect((await ask('en')).body).not.toMatch(/[\u4e00-\u9fff]/)
  const choose = (query: string) =>
    t.app.inject({
      method: 'POST',
      url: `${pathname}?${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'phone=2',
    })
  await press('follow', 2)
  const { headers, statusCode } = await choose(search.slice(1))
  const back = new URL(String(headers.location))
  expect([statusCode, back.pathname, back.searchParams.get('tab')]).toEqual([303, '/info/index', 'messages'])
  const given = { id: back.searchParams.get('state'), code: back.searchParams.get('code') }
  expect((await post(t, who, `${own}/confirm-wechat-visit`, given)).code).toBe(200)
  const elsewhere = await choose('redirect_uri=https%3A%2F%2Fevil.example%2F&state=1')
  expect(new URL(String(elsewhere.headers.location)).host).toBe(back.host)
  // A QR code that is over says so.
  expect(items(await press('scan', 3, 'f'.repeat(24)))[0]).toContain('二维码已过期。')
})

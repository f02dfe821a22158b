import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

const ask = (url: string, encoding?: string) =>
  t.app.inject({ url, headers: { ...root.headers, ...(encoding && { 'accept-encoding': encoding }) } })

test('large answers are compressed for whoever takes that, and only for them', async () => {
  const buttons = '/api/blade-system/menu/buttons'
  const [plain, small] = [await ask(buttons), await ask(buttons, 'gzip, deflate, br')]
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(small.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body)
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
  const older = await ask(buttons, 'gzip, deflate, br;q=0')
  expect(older.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(older.rawPayload).toString()).toBe(plain.body)
  const health = await ask('/api/public/health', 'gzip')
  expect([health.headers['content-encoding'], health.json().code]).toEqual([undefined, 200])
})

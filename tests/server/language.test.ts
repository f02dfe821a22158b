import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusals, refuse } from '../../src/server/domain/refusal.ts'
import { englishOf } from '../../src/server/domain/refusal-english.ts'
import { type TestApp, testApp } from '../helper/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

describe('refusals in the language of the page', () => {
  test.each([
    ['en', 'Please log in'],
    ['zh-CN', '请求未授权'],
    // A browser's own list is no word about the page it shows.
    ['en-US,en;q=0.9', '请求未授权'],
    [undefined, '请求未授权'],
  ])('Accept-Language %s', async (language, msg) => {
    const headers = language ? { 'accept-language': language } : {}
    const answer = await t.call({ url: '/api/blade-system/param/page', headers })
    expect(answer).toMatchObject({ status: 401, code: 401, msg })
  })

  test('every English text keeps the values of its Chinese', () => {
    const braces = (text: string) => [...text.matchAll(/\{[^}]+\}/g)].map(String).toSorted()
    for (const [code, [, chinese]] of Object.entries(refusals)) {
      const values = Object.fromEntries(braces(chinese).map(brace => [brace.slice(1, -1), brace]))
      expect([code, braces(englishOf(refuse(Number(code) as 20001, values)))]).toEqual([code, braces(chinese)])
    }
  })
})

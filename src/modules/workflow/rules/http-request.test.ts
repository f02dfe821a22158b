import { describe, expect, test } from 'vitest'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { fillRequest, meaningOf } from './http-request.ts'
import { readTemplate } from './template.ts'

const known = {
  id: '7',
  name: '李"雷"\n',
  amount: '6000.00',
  days: 3,
  yes: true,
  none: null,
  list: ['a', 'b'],
  base: 'https://oa.example.com/api',
  evil: '", "admin": true, "x": "',
  odd: 'a/b?c&d',
  method: 'post',
  long: 70_000,
}

const request = (fields: Readonly<Record<string, string>>) =>
  fillRequest(
    Object.fromEntries(
      Object.entries({ requestUrl: 'https://oa.example.com/', ...fields }).map(([name, text]) => [
        name,
        readTemplate(text),
      ]),
    ),
    known,
  )

test('what is asked where nothing else is said', () => {
  expect(request({})).toEqual({
    method: 'GET',
    url: 'https://oa.example.com/',
    headers: {},
    body: null,
    timeout: 8000,
    fail: null,
    handle: [],
    ignore: false,
    asJson: false,
  })
})

test.each([
  ['https://oa.example.com/leave/${id}', 'https://oa.example.com/leave/7'],
  ['https://oa.example.com/?q=${odd}&n=${days}', 'https://oa.example.com/?q=a%2Fb%3Fc%26d&n=3'],
  ['${base}/x/${odd}', 'https://oa.example.com/api/x/a%2Fb%3Fc%26d'],
  ['${base}', 'https://oa.example.com/api'],
  ['https://${odd}/', 'https://a%2Fb%3Fc%26d/'],
])('address %s', (text, url) => expect(request({ requestUrl: text }).url).toBe(url))

describe('a body', () => {
  test.each([
    ['{"name": "${name}", "days": ${days}}', { name: '李"雷"\n', days: 3 }],
    ['{"amount": ${amount}, "text": "${amount}"}', { amount: 6000, text: '6000.00' }],
    ['{"yes": ${yes}, "none": ${none}, "list": ${list}}', { yes: true, none: null, list: ['a', 'b'] }],
    ['{"name": ${name}}', { name: '李"雷"\n' }],
    ['{"name": "${evil}"}', { name: '", "admin": true, "x": "' }],
    ['{"name": ${evil}}', { name: '", "admin": true, "x": "' }],
    ['{"a\\"b": "x \\" ${evil}"}', { 'a"b': 'x " ", "admin": true, "x": "' }],
    ['[${days}, "${list}"]', [3, 'a,b']],
  ])('of JSON stays what the model says: %s', (text, value) => {
    const { body, headers } = request({ requestBody: text })
    expect(JSON.parse(String(body))).toEqual(value)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('of another kind is filled in as it is', () => {
    expect(
      request({ requestBody: 'id=${id}&n=${days}', requestHeaders: 'Content-Type: application/x-www-form-urlencoded' }),
    ).toMatchObject({
      body: 'id=7&n=3',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(request({ requestBody: '${id}' }).headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

test('headers, one in a line', () => {
  expect(request({ requestHeaders: 'X-One: 1\r\n X-Two:  two words \n\nX-Id: ${id}' }).headers).toEqual({
    'x-one': '1',
    'x-two': 'two words',
    'x-id': '7',
  })
  // A line break that is filled in begins no header.
  expect(request({ requestHeaders: 'X-Body: a ${vars:get(lines)}' }).headers).toEqual({ 'x-body': 'a' })
})

test.each([
  [{ requestHeaders: 'no header' }, '请求头不正确：no header'],
  [{ requestHeaders: 'X-Name: ${name}' }, '请求头不正确'],
  [{ requestHeaders: 'Host: elsewhere' }, '请求头Host由系统填写'],
  [{ requestHeaders: 'Idempotency-Key: x' }, '请求头Idempotency-Key由系统填写'],
  [{ requestMethod: '${id}' }, 'requestMethod不正确：7'],
  [{ requestTimeout: '${long}' }, 'requestTimeout不正确：70000'],
  [{ requestTimeout: '${name}' }, 'requestTimeout不正确'],
  [{ failStatusCodes: '${id}' }, 'failStatusCodes不正确：7'],
  [{ requestBody: '${unheard}' }, '缺少流程变量：unheard'],
])('%j is refused', (fields, words) => {
  expect(() => request(fields as Record<string, string>)).toThrow(words)
  expect(inEnglish(words)).not.toMatch(/请求头|不正确|缺少/)
})

test.each([
  [200, null, [], 'good'],
  [204, null, [], 'good'],
  [301, null, [], 'failure'],
  [302, ['5XX'], [], 'failure'],
  [404, null, [], 'failure'],
  [404, ['5XX'], [], 'good'],
  [503, ['5XX'], [], 'failure'],
  [404, null, ['404'], 'error'],
  [409, ['4XX'], ['404', '409'], 'error'],
  [422, null, ['4XX'], 'error'],
] as const)('%i is, with failures %j and errors %j, %s', (status, fail, handle, meaning) =>
  expect(meaningOf(status, { fail, handle })).toBe(meaning),
)

test('flags and the method', () => {
  expect(
    request({
      requestMethod: '${method}',
      ignoreException: 'true',
      saveResponseVariableAsJson: 'true',
      requestTimeout: '60000',
      handleStatusCodes: '404, 5xx',
    }),
  ).toMatchObject({ method: 'POST', ignore: true, asJson: true, timeout: 60_000, handle: ['404', '5XX'] })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matches } from '../../src/engine/pattern.ts'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { inTurns } from '../helper/in-turns.ts'
import { encrypt, solved } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, watchSchemas } from '../helper/route-cases.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'

// What somebody hostile sends because of its size or its letters: patterns that never end, bodies that nest or swell, pages and
// lists without end, names that look like other names.

const schemas = watchSchemas()
let t: TestApp
let who: Caller
let cases: readonly RouteCase[]

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  // Pages for people answer pages, and receipts what their providers ask for: the tests beside them send them such letters.
  const isForOthers = ({ url }: RouteCase) => /^\/(api\/)?(public\/objection|channel|blade-notice\/wechat)\//.test(url)
  cases = casesOf(t.app, schemas.schemas).filter(one => !isForOthers(one))
  who = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

const post = (url: string, payload: string | object, type = 'application/json') =>
  t.call<Record<string, unknown>>({ method: 'POST', url, payload, headers: { ...who.headers, 'content-type': type } })

const param = '/api/blade-system/param/submit'
let n = 0
const row = (more: object = {}) => ({ paramName: '名', paramKey: `abuse.${++n}`, paramValue: '1', ...more })

test.each(['(a+)+$', '(a|aa)+$', '([a-z]+)*\\d', '^(.*,){20}x$', '(\\w*)*!'])(
  'B28 · a pattern takes time by the length of the text, whatever it is: %s',
  pattern => {
    const began = performance.now()
    expect(matches(pattern, `${'a'.repeat(4000)}!?`)).toBe(false)
    expect(performance.now() - began).toBeLessThan(20_000)
  },
)

describe('B28 · a body', () => {
  const nested = (levels: number, open: string, close: string) =>
    `{"x":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`

  test('has twenty levels at most, of lists and of objects, on every call', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      expect((await post(param, nested(20, open, close))).msg).not.toContain('层级')
      expect(await post(param, nested(21, open, close))).toMatchObject({
        status: 400,
        code: 29005,
        msg: '参数不正确：内容层级过深',
      })
      expect((await post(param, nested(100_000, open, close))).code).toBe(29005)
    }
    expect((await post(param, row({ paramValue: '[[[['.repeat(10) }))).code).toBe(200)
    const writes = cases.filter(({ method }) => method === 'POST')
    const answers = await Promise.all(
      writes.map(async one => [one.name, (await post(one.url, nested(60, '[', ']'))).status]),
    )
    expect(answers.filter(([, status]) => status !== 400 && status !== 403)).toEqual([])
  })

  test('has a megabyte at most', async () => {
    const answer = await post(param, row({ remark: '长'.repeat(400_000) }))
    expect(answer).toMatchObject({ status: 400, code: 28002 })
  })

  test('that is no object, or has names of its own making, is refused or read as what it is', async () => {
    for (const body of ['[]', '1', '"x"', 'null', '{"__proto__":{"isAdmin":1}}', '{"constructor":{"prototype":{}}}']) {
      const { status } = await post(param, body)
      expect([body, status]).toEqual([body, 400])
    }
    expect(({} as { isAdmin?: number }).isAdmin).toBeUndefined()
  })
})

describe('B28 · a list', () => {
  test('gives no more than 500 rows, and no page before the first', async () => {
    await t.pool.query(`INSERT INTO post ("tenantId", "postCode", "postName", category, sort)
      SELECT '000000', 'x' || n, 'x' || n, 1, n FROM generate_series(1, 700) n`)
    const lists = cases.filter(({ method, url }) => method === 'GET' && /\/(page|list)$/.test(url))
    const odd: Record<string, string>[] = [
      { size: '100000' },
      { current: '-1' },
      { current: '0' },
      { size: '-1' },
      { current: '1e9' },
    ]
    const wrong = await inTurns(6, lists, async (one, place) => {
      const ask = async (more: Record<string, string>) => {
        const request = one.request({}, who.headers)
        const query = { ...(request.query as Record<string, string>), ...more }
        return t.call<{ records?: unknown[]; size?: number; current?: number }>({ ...request, query })
      }
      const found: string[] = []
      for (const query of [odd[0]!, odd[1 + (place % 4)]!]) {
        const { status, data } = await ask(query)
        const isSmall = (data.size ?? 0) <= 500 && (data.records?.length ?? 0) <= 500
        const isPage = status === 200 && (data.current ?? 1) >= 1 && isSmall
        if (status !== 400 && status !== 403 && !isPage) found.push(`${one.name} ${JSON.stringify(query)} ${status}`)
      }
      return found
    })
    expect(wrong.flat()).toEqual([])
    const all = await t.call<{ records: unknown[]; total: number }>({
      url: '/api/blade-system/post/page?size=700',
      headers: who.headers,
    })
    expect([all.data.records.length, all.data.total]).toEqual([500, 700])
  })

  test('of ids has 500 at most, wherever ids are taken', async () => {
    const ids = Array.from({ length: 501 }, (_, i) => String(7_000_000 + i)).join()
    const removes = cases.filter(({ method, url }) => method === 'POST' && url.endsWith('/remove'))
    expect(removes.length).toBeGreaterThan(50)
    const answers = await Promise.all(
      removes.map(
        async ({ url }) =>
          [url, (await t.call({ method: 'POST', url: `${url}?ids=${ids}`, headers: who.headers })).code] as const,
      ),
    )
    // Rows that nobody removes are refused for that.
    expect(answers.filter(([, code]) => ![29003, 29005, 29008, 29009, 403].includes(code))).toEqual([])
    const million = Array.from({ length: 100_000 }, (_, i) => i).join()
    const answer = await post('/api/blade-system/param/remove', `ids=${million}`, 'application/x-www-form-urlencoded')
    expect(answer.code).toBe(29005)
  })
})

describe('B28 · a text', () => {
  const keptName = async (paramName: string) => {
    const sent = row({ paramName })
    expect((await post(param, sent)).code).toBe(200)
    const found = t.db.selectFrom('param').select('paramName').where('paramKey', '=', sent.paramKey)
    return (await found.executeTakeFirst())?.paramName
  }

  test.each([
    ['a NUL', 'a\0b'],
    ['a bell', 'a\u0007b'],
    ['an escape sequence', '\u001b[2Jb'],
    ['a line break in a name', 'a\nb'],
    ['a C1 control', 'a\u0085b'],
    ['a zero-width space', 'ad\u200bmin'],
    ['a zero-width joiner', 'ad\u200dmin'],
    ['a word joiner', 'ad\u2060min'],
    ['a byte order mark', 'ad\ufeffmin'],
    ['a right-to-left override', 'nimda\u202e'],
    ['an isolate', 'a\u2066b'],
    ['a line separator', 'a\u2028b'],
    ['half of a character', 'a\ud83d'],
  ])('with %s is refused, with the field named', async (_what, paramName) => {
    const answer = await post(param, row({ paramName }))
    expect(answer).toMatchObject({ code: 29005, data: [{ field: 'paramName' }] })
  })

  test('of several lines keeps its lines and tabs, and nothing else that is not seen', async () => {
    expect((await post(param, row({ paramValue: '一\r\n\t二' }))).code).toBe(200)
    expect((await post(param, row({ paramValue: '一\u202e二' }))).code).toBe(29005)
  })

  test.each(['𠮷野', '㐂堃', '𫖮', '𬱖', '买买提·吾守尔', '阿卜杜热西提·热'])(
    'with the rare name %s is taken and kept',
    async name => {
      expect(await keptName(name)).toBe(name)
    },
  )

  test('that is composed otherwise is the same text', async () => {
    expect(await keptName('e\u0301')).toBe('\u00e9')
  })

  test('of somebody who registers is looked at as well', async () => {
    const register = async (realName: string, i: number) =>
      t.call({
        method: 'POST',
        url: '/api/blade-system/user/register',
        headers: await solved(t),
        payload: {
          username: `shape${i}`,
          password: encrypt(t, 'Abcd1234x'),
          password2: encrypt(t, 'Abcd1234x'),
          realName,
          phone: samplePhone(8100 + i),
          idType: '1',
          idCard: sampleIdCard(8100 + i),
          consentVersion: '1',
        },
      })
    for (const name of ['王\u200b明', '王\n明', '王\u202e明', '王\t明', '<b>王</b>', `${'王'.repeat(21)}`])
      expect((await register(name, 1)).code).toBe(29005)
    for (const [i, name] of ['𠮷田', '买买提·吾守尔', '㐂 堃'].entries())
      expect((await register(name, 2 + i)).code).toBe(200)
  })
})

describe('B28 · a text that the database cannot keep', () => {
  const bad = [
    ['NUL', '\0', '%00'],
    ['half of a character', '\ud800', undefined],
  ] as const

  test.each(bad)('%s is refused by every call, wherever in a body it stands', async (_what, char) => {
    const writes = cases.filter(({ method }) => method === 'POST')
    expect(writes.length).toBeGreaterThan(150)
    const wrong = await inTurns(6, writes, async one => {
      const request = one.request({}, who.headers)
      const found: string[] = []
      for (const more of [
        { zz: `a${char}` },
        { zz: { deep: [{ [`k${char}`]: 1 }] } },
        { zz: JSON.stringify({ in: char }) },
      ]) {
        const payload = { ...(request.payload as object), ...more }
        const { statusCode, json } = await t.app.inject({ ...request, payload })
        const { code, data } = json()
        if (code !== 29005 && code !== 403) found.push(`${one.name} ${statusCode} ${code}`)
        if (code === 29005 && !String(data[0]?.field).startsWith('zz'))
          found.push(`${one.name} names ${data[0]?.field}`)
      }
      return found
    })
    expect(wrong.flat()).toEqual([])
  })

  test('is refused in every parameter of an address, and none is a fault', async () => {
    const calls = casesOf(t.app, schemas.schemas, 'public')
    const wrong = await inTurns(6, calls, async one => {
      const request = one.request({}, who.headers)
      const query = request.query as Record<string, string>
      const given = [...new Set([...one.ids.slice(0, 2), ...Object.keys(query), 'code'])]
      const found: string[] = []
      for (const name of given) {
        const { statusCode } = await t.app.inject({ ...request, query: { ...query, [name]: 'a\0' } })
        if (statusCode !== 400 && statusCode !== 403) found.push(`${one.name} ${name} ${statusCode}`)
      }
      return found
    })
    expect(wrong.flat()).toEqual([])
    for (const url of ['/api/blade-system/region/detail?code=%00', '/api/public/a%00b', '/api/%ED%A0%80?x=%ED%A0%80'])
      expect([url, (await t.app.inject({ url, headers: who.headers })).statusCode < 500]).toEqual([url, true])
  })

  test('is refused in the fields and names of an upload', async () => {
    const upload = (field: string, filename: string, value: string) => {
      const parts = [
        `--x\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
        `--x\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: text/plain\r\n\r\nabc\r\n--x--\r\n`,
      ]
      return { payload: parts.join(''), headers: { ...who.headers, 'content-type': 'multipart/form-data; boundary=x' } }
    }
    const writes = cases.filter(({ method, url }) => method === 'POST' && /import|upload|put-file|submit/i.test(url))
    for (const { url } of writes) {
      for (const [field, filename, value] of [
        ['a\0', 'a.txt', '1'],
        ['a', 'a\0.txt', '1'],
        ['a', 'a.txt', '1\0'],
        ['content', 'a.txt', '{"name":"\\ud800"}'],
      ] as const) {
        const { statusCode } = await t.app.inject({ method: 'POST', url, ...upload(field, filename, value) })
        expect([url, field, filename, statusCode < 500]).toEqual([url, field, filename, true])
      }
    }
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/blade-resource/oss/endpoint/put-file-attach',
      ...upload('a', 'a\0.txt', '1'),
    })
    expect(answer.json()).toMatchObject({ code: 29005, data: [{ field: 'file' }] })
  })

  test('does nothing where it stands in a grant, and is in the log as refused', async () => {
    const { roleId } = (await t.db.selectFrom('role').select('id as roleId').executeTakeFirstOrThrow()) as {
      roleId: string
    }
    const answer = await post('/api/blade-system/role/grant', `{"roleIds":["${roleId}"],"menuIds":[],"zz":"\\ud800"}`)
    expect(answer).toMatchObject({ code: 29005, data: [{ field: 'zz' }] })
    const headers = { ...who.headers, 'user-agent': 'a\ud800b\0c' }
    const row = await t.app.inject({ method: 'POST', url: param, payload: { paramName: 1 }, headers })
    expect(row.json()).toMatchObject({ code: 29005, data: [{ field: 'user-agent' }] })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Files } from '#schemas/notices/files'
import { News } from '#schemas/notices/news'
import { Attach } from '#schemas/resource/attach'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

const now = '2026-12-02 10:00:00'
let t: TestApp
let admin: Caller
beforeAll(async () => {
  t = await testApp({ now })
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t.close())

interface Tip {
  id: string
  title: string
}

const all = (permissions: string) => ['', '_view', '_add', '_edit', '_delete'].map(end => `${permissions}${end}`)

describe('phrases for reviewers', () => {
  const base = '/blade-examineTip/examinetip'
  const tip = (title: string, scope: 1 | 2) => ({ title, content: `${title}。`, tipType: 3, scope })
  const titles = async (who: Caller, path = 'getMyList') =>
    (await asCaller(t, who).get<{ records: Tip[] }>(`${base}/${path}`)).data.records.map(one => one.title).toSorted()

  it('are seen by their owners, shared ones by everybody', async () => {
    const [one, other] = [
      await signIn(t, { permissions: all('examinetip') }),
      await signIn(t, { permissions: all('examinetip') }),
    ]
    const [mine, theirs] = [asCaller(t, one), asCaller(t, other)]
    for (const values of [tip('own', 1), tip('shared', 2)])
      expect((await mine.post(`${base}/submit`, { ...values, userId: '1' })).code).toBe(200)
    expect((await theirs.post(`${base}/submit`, tip('foreign', 1))).code).toBe(200)
    for (const path of ['getMyList', 'page', 'list']) {
      expect(await titles(one, path)).toEqual(['own', 'shared'])
      expect(await titles(other, path)).toEqual(['foreign', 'shared'])
    }
    const rows = (await mine.get<{ records: Tip[] }>(`${base}/page`)).data.records
    const idOf = (title: string) => rows.find(row => row.title === title)?.id ?? ''
    expect((await theirs.get(`${base}/detail?id=${idOf('own')}`)).code).toBe(29001)
    expect((await theirs.get(`${base}/detail?id=${idOf('shared')}`)).code).toBe(200)
    expect((await theirs.post(`${base}/submit`, { id: idOf('own'), title: 'x' })).code).toBe(29001)
    expect((await theirs.post(`${base}/submit`, { id: idOf('shared'), title: 'x' })).code).toBe(29008)
    expect((await theirs.post(`${base}/remove?ids=${idOf('shared')}`)).code).toBe(29008)
    const boss = asCaller(t, await signIn(t, { role: 'admin' }))
    expect((await boss.post(`${base}/submit`, { id: idOf('shared'), title: 'shared' })).code).toBe(200)
    expect((await boss.post(`${base}/submit`, { id: idOf('own'), title: 'x' })).code).toBe(29001)
    expect((await mine.post(`${base}/remove?ids=${idOf('own')},${idOf('shared')}`)).code).toBe(200)
    expect(await titles(other)).toEqual(['foreign'])
  })

  it('can be used, but not kept, by whoever only reviews', async () => {
    const reviewer = asCaller(t, await signIn(t, { permissions: ['examine_act'] }))
    expect((await reviewer.get(`${base}/getMyList`)).code).toBe(200)
    expect((await reviewer.get(`${base}/page`)).status).toBe(403)
  })
})

describe.each(['sms', 'oss'] as const)('settings of %s', table => {
  const base = `/blade-resource/${table}`
  const values = (code: string) =>
    table === 'sms'
      ? { category: 1, smsCode: code, templateId: 'T', templateContent: '{1}', signName: 'S', accessKey: 'key-plain' }
      : { category: 5, ossCode: code }
  const enabled = async () =>
    (await t.pool.query(`SELECT "${table}Code" AS code FROM ${table} WHERE "${table}Status" = 1`)).rows.map(r => r.code)
  const make = async (code: string) => {
    expect((await asCaller(t, admin).post(`${base}/submit`, values(code))).code).toBe(200)
    const { rows } = await t.pool.query(`SELECT id FROM ${table} WHERE "${table}Code" = $1`, [code])
    return String(rows[0].id)
  }

  it('are in use one at a time where they are for files, also when two are put into use at once; for messages side by side', async () => {
    const { post } = asCaller(t, admin)
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map(make))
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(ids.map(id => post(`${base}/enable?id=${id}`)))
      expect(answers.map(one => one.code)).toEqual([200, 200, 200, 200])
      expect(await enabled()).toHaveLength(table === 'oss' ? 1 : 4)
    }
    const foreign = asCaller(t, await signIn(t, { permissions: [table, `${table}_enable`], tenantId: '100001' }))
    expect((await foreign.post(`${base}/enable?id=${ids[0]}`)).code).toBe(29001)
    await post(`${base}/enable?id=${ids[1]}`)
    expect((await enabled()).toSorted()).toEqual(table === 'oss' ? ['b'] : ['a', 'b', 'c', 'd'])
    expect((await post(`${base}/remove?ids=${ids[1]}`)).code).toBe(29009)
    expect((await post(`${base}/disable?id=${ids[1]}`)).code).toBe(200)
    expect((await post(`${base}/remove?ids=${ids[1]}`)).code).toBe(200)
  })

  it('keep their keys sealed and to themselves', async () => {
    const { get, post } = asCaller(t, admin)
    const remote = { category: 1, endpoint: 'https://s3.example.org', bucketName: 'b', secretKey: 'more-plain' }
    const whole = { ...values('sealed'), accessKey: 'key-plain', ...(table === 'oss' ? remote : {}) }
    await t.db.updateTable('param').set({ paramValue: 's3.example.org' }).where('paramKey', '=', 'oss.hosts').execute()
    expect((await post(`${base}/submit`, whole)).code).toBe(200)
    const stored = async () =>
      (await t.pool.query(`SELECT * FROM ${table} WHERE "${table}Code" = 'sealed'`)).rows[0] as Record<string, string>
    const first = await stored()
    expect(t.app.vault.open(first.accessKey ?? '')).toBe('key-plain')
    expect(JSON.stringify(first)).not.toContain('key-plain')
    const told = JSON.stringify([await get(`${base}/detail?id=${first.id}`), await get(`${base}/list`)])
    expect(told).not.toContain('accessKey')
    expect((await post(`${base}/submit`, { id: first.id, remark: 'x', accessKey: '' })).code).toBe(200)
    expect((await stored()).accessKey).toBe(first.accessKey)
    expect((await post(`${base}/submit`, { id: first.id, accessKey: 'other' })).code).toBe(200)
    expect(t.app.vault.open((await stored()).accessKey ?? '')).toBe('other')
  })
})

describe('storages', () => {
  const base = '/blade-resource/oss'
  const make = async (values: object) => {
    const answer = await asCaller(t, admin).post(`${base}/submit`, values)
    const { rows } = await t.pool.query('SELECT max(id)::text AS id FROM oss')
    return { answer, id: String(rows[0].id) }
  }

  it('elsewhere say what they need', async () => {
    expect((await make({ category: 1, ossCode: 's3' })).answer.msg).toContain('请输入资源地址')
    const remote = { category: 1, ossCode: 's3', endpoint: 'https://s4.example.org', bucketName: 'b' }
    expect((await make(remote)).answer.msg).toContain('请输入accessKey')
    expect((await make({ ...remote, accessKey: 'a', secretKey: 'b' })).answer.msg).toContain('oss.hosts')
  })

  it('here are tried by writing and reading back', async () => {
    const { id } = await make({ category: 5, ossCode: 'here' })
    const answer = await asCaller(t, admin).post(`${base}/debug?id=${id}`, { text: '测试' })
    expect(answer).toMatchObject({ code: 200, data: { message: expect.stringContaining('读写正常') } })
  })
})

const upload = (who: Caller, ownerType: 'files' | 'news' = 'files') =>
  insert(t.app, Attach, {
    name: `x/${Math.random()}`.replace('.', ''),
    originalName: '表格.xlsx',
    extension: 'xlsx',
    attachSize: 2048,
    contentType: 'application/zip',
    ownerType,
    ownerId: null,
    createUser: who.userId,
    visible: 2,
    scanState: 1,
  })

describe('files to download', () => {
  const base = '/blade-files/files'
  const shown = async () =>
    (await t.call<{ records: { fileName: string; downNum: number }[] }>('/api/public/files')).data.records

  it('are everybody’s while they are online, and counted', async () => {
    const { post, get } = asCaller(t, admin)
    const attach = await upload(admin)
    await t.app.storage.put(attach.name, Buffer.from('bytes'))
    const fetch = async () => (await t.app.inject(`/api/public/download?id=${attach.id}`)).statusCode
    expect(await fetch()).toBe(404)
    const values = { fileName: '报名表', category: '1', attachId: attach.id, fileSize: 1, downNum: 99 }
    expect((await post(`${base}/submit`, values)).code).toBe(200)
    const { records } = (await get<{ records: { id: string }[] }>(`${base}/page`)).data
    const id = records[0]?.id
    expect(records[0]).toMatchObject({ fileSize: 2048, ext: 'xlsx', downNum: 0, filesStatus: 0 })
    expect([await shown(), await fetch()]).toEqual([[], 404])
    expect((await post(`${base}/release?id=${id}`)).code).toBe(200)
    expect([(await shown()).map(one => one.fileName), await fetch(), await fetch()]).toEqual([['报名表'], 200, 200])
    expect((await shown())[0]?.downNum).toBe(2)
    expect((await post(`${base}/remove?ids=${id}`)).code).toBe(29009)
    expect((await post(`${base}/recall?id=${id}`)).code).toBe(200)
    expect([await shown(), await fetch()]).toEqual([[], 404])
    const again = await post(`${base}/submit`, { ...values, fileName: '另一份' })
    expect(again.code).toBe(28009)
    expect((await post(`${base}/remove?ids=${id}`)).code).toBe(200)
  })

  it('of another tenant are not shown', async () => {
    await insert(t.app, Files, { fileName: 'other', filesStatus: 1, tenantId: '100002' })
    expect((await shown()).map(one => one.fileName)).not.toContain('other')
  })
})

describe('news', () => {
  it('are read by everybody once they are online and due, and counted', async () => {
    // Every installation begins with questions.
    await t.db.deleteFrom('news').execute()
    const one = (title: string, more: object) =>
      insert(t.app, News, { title, category: '3', releaseTime: shanghai(now), isTop: 0, newsStatus: 1, ...more })
    const open = await one('open', { content: '<p>答案</p>' })
    await one('pinned', { isTop: 1, category: '1' })
    await one('draft', { newsStatus: 0 })
    await one('tomorrow', { releaseTime: shanghai('2026-12-03 00:00:00') })
    const list = async (query = '') =>
      (await t.call<{ records: { title: string }[] }>(`/api/public/news${query}`)).data.records.map(row => row.title)
    expect(await list()).toEqual(['pinned', 'open'])
    expect(await list('?category=3')).toEqual(['open'])
    expect(await list(`?keyword=${encodeURIComponent('答案')}`)).toEqual(['open'])
    expect(await list('?keyword=%25')).toEqual([])
    const read = (id: string) => t.call<{ viewNum: number }>(`/api/public/news/detail?id=${id}`)
    await read(open.id)
    expect((await read(open.id)).data.viewNum).toBe(2)
    const { post } = asCaller(t, admin)
    expect((await post(`/blade-news/news/recall?id=${open.id}`)).code).toBe(200)
    expect((await read(open.id)).code).toBe(29001)
    expect((await post(`/blade-news/news/top?id=${open.id}`)).code).toBe(200)
    expect((await post(`/blade-news/news/top?id=${open.id}`)).code).toBe(200)
  })
})

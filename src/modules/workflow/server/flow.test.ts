import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { bpmn, straight } from '../../../../tests/helper/flow-bench.ts'
import { password } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'

let t: TestApp
let admin: Caller

beforeAll(async () => {
  t = await testApp()
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())

const get = <T = unknown>(path: string, who = admin) =>
  t.call<T>({ url: `/api/blade-flow/${path}`, headers: who.headers })
const post = (path: string, payload: object = {}, who = admin) =>
  t.call({ method: 'POST', url: `/api/blade-flow/${path}`, headers: who.headers, payload })

const model = (modelKey: string, more: object = {}) => ({
  modelKey,
  name: `流程${modelKey}`,
  category: 2,
  xml: straight(modelKey),
  ...more,
})
const idOf = async (modelKey: string, tenantId = '000000') =>
  (
    await t.db
      .selectFrom('flow_deployment')
      .select('id')
      .where('modelKey', '=', modelKey)
      .where('tenantId', '=', tenantId)
      .executeTakeFirst()
  )?.id ?? ''
/** A model that has been saved. @returns its id */
const saved = async (modelKey: string, more: object = {}) => {
  expect((await post('model/submit', model(modelKey, more))).code).toBe(200)
  return idOf(modelKey)
}

interface Listed {
  total: number
  records: { name: string; key: string; version: number; processDefinitionId: string; suspensionState: number }[]
}

/** The deployed process of a key as a list shows it. */
const listed = async (list: 'work/start-list' | 'manager/list', key: string) =>
  (await get<Listed>(`${list}?processDefinitionKey=${key}`)).data.records[0]

describe('models', () => {
  test('are kept, one version more at each save, and removed', async () => {
    const id = await saved('travel')
    expect((await post('model/submit', { id, name: '出差' })).code).toBe(200)
    const { data } = await get(`model/detail?id=${id}`)
    expect(data).toMatchObject({ name: '出差', version: 2, suspensionState: 1, xml: straight('travel') })
    expect((await post('model/submit', model('travel'))).code).toBe(29004)
    expect((await post(`model/remove?ids=${id}`)).code).toBe(200)
    expect((await get(`model/detail?id=${id}`)).code).toBe(29001)
  })

  test('may be as large as a megabyte, and no larger', async () => {
    const large = (n: number) => bpmn('large', `<documentation>${'字'.repeat(n)}</documentation>`)
    await saved('large', { xml: large(349_000) })
    const answer = await post('model/submit', model('larger', { xml: large(350_000) }))
    expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining('1MB')])
  })

  test('are refused when they could reach out or run, and when they are called otherwise', async () => {
    const tried = async (more: object) => (await post('model/submit', model('bad', more))).msg
    const outside = `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${bpmn('bad')}`
    expect(await tried({ xml: outside })).toContain('DOCTYPE')
    expect(await tried({ xml: bpmn('bad', '<scriptTask id="s"/>') })).toContain('脚本')
    expect(await tried({ xml: bpmn('other') })).toContain('other')
    expect(await tried({ category: 9 })).toContain('流程分类')
  })

  test('are the administrator’s to write', async () => {
    const other = await signIn(t, { role: 'reviewer' })
    expect((await post('model/submit', model('mine'), other)).code).toBe(403)
  })
})

describe('deploying', () => {
  test('offers a model as it was saved; deployed anew it is a version more, the same text is the same version', async () => {
    const id = await saved('claims')
    expect(await listed('work/start-list', 'claims')).toBeUndefined()
    expect((await get(`process/model-view?processDefinitionId=${id}`)).code).toBe(29001)
    for (let n = 0; n < 2; n++) expect((await post(`model/deploy?modelId=${id}`)).code).toBe(200)
    expect(await listed('work/start-list', 'claims')).toMatchObject({ version: 1, processDefinitionId: id })
    const xml = straight('claims').replace('完', '报销完成')
    await post('model/submit', { id, xml })
    expect(await listed('work/start-list', 'claims')).toMatchObject({ version: 1 })
    const before = await get(`process/model-view?processDefinitionId=${id}`)
    expect(before.data).toEqual({ xml: straight('claims'), flow: [] })
    await post(`model/deploy?modelId=${id}&category=3`)
    expect(await listed('manager/list', 'claims')).toMatchObject({ version: 2, category: 3 })
    expect((await get<{ xml: string }>(`process/model-view?processDefinitionId=${id}`)).data.xml).toBe(xml)
  })

  test('is refused for what cannot be carried out, in words that name the line, in both languages', async () => {
    const id = await saved('timed', { xml: bpmn('timed', '<startEvent id="s"/>\n<eventBasedGateway id="r"/>') })
    expect((await post(`model/deploy?modelId=${id}`)).msg).toContain('第4行：不支持事件网关')
    const english = { ...admin, headers: { ...admin.headers, 'accept-language': 'en' } }
    expect((await post(`model/deploy?modelId=${id}`, {}, english)).msg).toContain('Line 4 (r): event-based gateways')
    const nobody = await saved('nobody', { xml: straight('nobody', { candidateGroups: 'ghost' }) })
    expect((await post(`model/deploy?modelId=${nobody}`)).msg).toContain('没有角色ghost')
    expect((await post('model/deploy?modelId=1')).code).toBe(29001)
    expect((await post('model/deploy')).code).toBe(29005)
  })

  test('to other tenants is the administrator’s; each has its own', async () => {
    const chief = await signIn(t, { role: 'admin', tenantId: '900001', permissions: ['flow_deployment_edit'] })
    const id = await saved('shared')
    expect((await post(`model/deploy?modelId=${id}&tenantIds=000000,900001`)).code).toBe(200)
    expect((await post(`model/deploy?modelId=${id}&tenantIds=999999`)).msg).toContain('租户不存在')
    const theirs = await idOf('shared', '900001')
    expect((await post(`model/deploy?modelId=${theirs}&tenantIds=000000`, {}, chief)).code).toBe(403)
    expect((await post(`model/deploy?modelId=${id}`, {}, chief)).code).toBe(29001)
  })

  test('by upload takes every file or none', async () => {
    const upload = (files: Record<string, string>, category = '2') => {
      const part = (head: string, content: string) =>
        `--xxx\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
      const parts = Object.entries(files).map(([name, xml]) => part(`name="files"; filename="${name}"`, xml))
      const payload = `${parts.join('')}${part('name="category"', category)}--xxx--\r\n`
      const headers = { ...admin.headers, 'content-type': 'multipart/form-data; boundary=xxx' }
      return t.call({ method: 'POST', url: '/api/blade-flow/manager/deploy-upload', headers, payload })
    }
    const [one, other] = [straight('one'), straight('other')]
    const bad = bpmn('bad', '<startEvent id="s"/>')
    expect((await upload({ 'one.bpmn20.xml': one, 'bad.bpmn20.xml': bad })).msg).toContain('缺少出口')
    expect((await upload({ 'a.zip': one })).code).toBe(28001)
    expect((await upload({})).msg).toContain('请选择文件')
    expect((await upload({ 'one.bpmn20.xml': one }, '7')).msg).toContain('请选择流程分类')
    expect(await listed('manager/list', 'one')).toBeUndefined()
    expect((await upload({ 'one.bpmn20.xml': one, 'other.bpmn20.xml': other })).code).toBe(200)
    for (const key of ['one', 'other'])
      expect(await listed('manager/list', key)).toMatchObject({ name: `流程${key}`, category: 2, version: 1 })
  })
})

describe('what is deployed', () => {
  test('is suspended and activated once each; what is suspended cannot be begun', async () => {
    const id = await saved('paused')
    expect((await post(`manager/change-state?processId=${id}&state=2`)).code).toBe(29001)
    await post(`model/deploy?modelId=${id}`)
    expect((await post(`manager/change-state?processId=${id}&state=1`)).code).toBe(200)
    expect((await post(`manager/change-state?processId=${id}&state=2`)).code).toBe(200)
    expect(await listed('work/start-list', 'paused')).toBeUndefined()
    expect(await listed('manager/list', 'paused')).toMatchObject({ suspensionState: 2 })
    expect((await post(`manager/change-state?processId=${id}&state=active`)).code).toBe(200)
    expect((await post(`manager/change-state?processId=${id}&state=3`)).code).toBe(29005)
  })

  test('is taken away; until then its model stays', async () => {
    const id = await saved('gone')
    await post(`model/deploy?modelId=${id}`)
    expect((await post(`model/remove?ids=${id}`)).code).toBe(29003)
    expect((await post(`manager/delete-deployment?deploymentIds=${id},1`)).code).toBe(29001)
    expect((await post(`manager/delete-deployment?deploymentIds=${id}`)).code).toBe(200)
    expect(await listed('manager/list', 'gone')).toBeUndefined()
    expect((await post(`manager/delete-deployment?deploymentIds=${id}`)).code).toBe(200)
    expect((await post(`model/deploy?modelId=${id}`)).code).toBe(200)
    expect(await listed('manager/list', 'gone')).toMatchObject({ version: 1 })
  })

  test('of which something runs is taken away only with the password, and what runs ends', async () => {
    const id = await saved('running')
    await post(`model/deploy?modelId=${id}`)
    const version = t.db.selectFrom('flow_version').select('id').where('deploymentId', '=', id)
    const run = await t.db
      .insertInto('flow_instance')
      .values({
        tenantId: '000000',
        businessTable: 'x',
        businessId: '1',
        starter: admin.userId,
        facts: '{}',
        versionId: (await version.executeTakeFirstOrThrow()).id,
        createTime: t.app.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const remove = (payload: object) => post(`manager/delete-deployment?deploymentIds=${id}`, payload, admin)
    expect((await remove({})).code).toBe(29003)
    expect((await remove({ cascade: true, password: 'wrong' })).code).toBe(20051)
    const status = () => t.db.selectFrom('flow_instance').select('status').where('id', '=', run.id).executeTakeFirst()
    expect(await status()).toEqual({ status: 1 })
    const { hashPassword } = await import('../../../platform/vault/password.ts')
    await t.db
      .updateTable('user')
      .set({ password: await hashPassword(password) })
      .where('id', '=', admin.userId)
      .execute()
    expect((await remove({ cascade: true, password })).code).toBe(200)
    expect(await status()).toEqual({ status: 3 })
  })
})

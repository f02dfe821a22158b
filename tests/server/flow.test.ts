import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FlowDeployment } from '#schemas/flow/flow-deployment'
import { Leave } from '#schemas/flow/leave'
import { type TestApp, testApp } from '../helper/app.ts'
import { loginAs, makeUser, type Session } from '../helper/login.ts'
import { insert } from '../helper/sample.ts'

let t: TestApp
let admin: Session

beforeAll(async () => {
  t = await testApp()
  admin = await loginAs(t, 'administrator')
})
afterAll(() => t?.close())

const get = <T = unknown>(path: string, who = admin) => t.call<T>({ url: `/api/${path}`, headers: who.headers })
const post = (path: string, payload: object = {}, who = admin) =>
  t.call({ method: 'POST', url: `/api/${path}`, headers: who.headers, payload })

const xml = (id: string, inside = '') =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="${id}">${inside}</process></definitions>`
const model = (modelKey: string, more: object = {}) => ({
  ...{ modelKey, name: `流程${modelKey}`, category: 1, xml: xml(modelKey) },
  ...more,
})
const idOf = async (modelKey: string) =>
  (await t.db.selectFrom('flow_deployment').select('id').where('modelKey', '=', modelKey).executeTakeFirstOrThrow()).id

describe('models', () => {
  test('are kept, one version more at each save, and removed', async () => {
    expect((await post('blade-flow/model/submit', model('leave'))).code).toBe(200)
    const id = await idOf('leave')
    expect((await post('blade-flow/model/submit', { id, name: '请假' })).code).toBe(200)
    const { data } = await get(`blade-flow/model/detail?id=${id}`)
    expect(data).toMatchObject({ name: '请假', version: 2, suspensionState: 1, xml: xml('leave') })
    expect((await post('blade-flow/model/submit', model('leave'))).code).toBe(29004)
    expect((await post(`blade-flow/model/remove?ids=${id}`)).code).toBe(200)
    expect((await get(`blade-flow/model/detail?id=${id}`)).code).toBe(29001)
  })

  test('may be as large as a megabyte, and no larger', async () => {
    const large = (n: number) => xml('large', `<documentation>${'字'.repeat(n)}</documentation>`)
    expect((await post('blade-flow/model/submit', model('large', { xml: large(349_000) }))).code).toBe(200)
    const answer = await post('blade-flow/model/submit', model('large', { xml: large(350_000) }))
    expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining('1MB')])
  })

  test('are refused when they could reach out or run, and when they are called otherwise', async () => {
    const tried = async (more: object) => (await post('blade-flow/model/submit', model('bad', more))).msg
    expect(await tried({ xml: `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${xml('bad')}` })).toContain(
      'DOCTYPE',
    )
    expect(await tried({ xml: xml('bad', '<scriptTask id="s"/>') })).toContain('脚本')
    expect(await tried({ xml: xml('other') })).toContain('other')
    expect(await tried({ category: 9 })).toContain('流程分类')
  })

  test('are the administrator’s to write', async () => {
    const other = await loginAs(t, 'reviewer')
    expect((await post('blade-flow/model/submit', model('mine'), other)).code).toBe(403)
  })
})

test('what is deployed and active can be started; what is suspended is only managed', async () => {
  const deployTime = t.app.now()
  const deployed = (name: string, suspensionState: 1 | 2) =>
    insert(t.app, FlowDeployment, { name, category: 2, suspensionState, deployTime, xml: xml('x') })
  const [active] = [await deployed('报销', 1), await deployed('旧报销', 2)]
  type Found = { total: number; records: { name: string; processDefinitionId: string; version: number }[] }
  const start = await get<Found>('blade-flow/work/start-list?category=2')
  expect(start.data).toMatchObject({ total: 1, records: [{ name: '报销', processDefinitionId: active?.id }] })
  expect((await get<Found>('blade-flow/manager/list?category=2')).data.total).toBe(2)
  expect((await get<Found>('blade-flow/manager/list?processDefinitionName=%25')).data.total).toBe(0)
  const view = await get(`blade-flow/process/model-view?processDefinitionId=${active?.id}`)
  expect(view.data).toEqual({ xml: xml('x'), flow: [] })
})

test.each(['work/claim-list', 'work/todo-list', 'work/send-list', 'work/done-list', 'follow/list'])(
  '%s is an empty page',
  async path => {
    const { data } = await get(`blade-flow/${path}?current=2&size=30`)
    expect(data).toEqual({ records: [], total: 0, size: 30, current: 2, pages: 0 })
    expect((await get(`blade-flow/${path}?colour=red`)).code).toBe(29005)
    expect((await get(`blade-flow/${path}`, await loginAs(t, 'reviewer'))).code).toBe(403)
  },
)

test.each([
  ['work/claim-task?taskId=1', {}, 'work/claim-task'],
  ['work/complete-task', { taskId: '1', processInstanceId: '2', pass: true }, 'work/complete-task'],
  [
    'follow/delete-process-instance?processInstanceId=1&deleteReason=x',
    {},
    'follow/delete-process-instance?processInstanceId=1',
  ],
])('%s says that it is not there yet, after its input was checked', async (path, payload, wrong) => {
  expect((await post(`blade-flow/${path}`, payload)).msg).toBe('功能尚未开放')
  expect((await post(`blade-flow/${wrong}`)).code).toBe(29005)
})

test('deploying says so too, for a model that is there', async () => {
  await post('blade-flow/model/submit', model('deployed'))
  const id = await idOf('deployed')
  for (const path of [`model/deploy?modelId=${id}`, `manager/change-state?processId=${id}&state=2`])
    expect((await post(`blade-flow/${path}`)).msg).toBe('功能尚未开放')
  expect((await post(`blade-flow/manager/delete-deployment?deploymentIds=${id}`)).code).toBe(29009)
  for (const path of ['model/deploy?modelId=1', 'manager/delete-deployment?deploymentIds=1'])
    expect((await post(`blade-flow/${path}`)).code).toBe(29001)
})

test('an uploaded model is checked', async () => {
  const upload = (filename: string, content: string) => {
    const boundary = 'xxx'
    const payload = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${filename}"\r\nContent-Type: text/xml\r\n\r\n${content}\r\n--${boundary}--\r\n`
    const headers = { ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }
    return t.call({ method: 'POST', url: '/api/blade-flow/manager/deploy-upload', headers, payload })
  }
  expect((await upload('a.bpmn20.xml', xml('a'))).msg).toBe('功能尚未开放')
  expect((await upload('a.zip', xml('a'))).code).toBe(28001)
  expect((await upload('a.bpmn20.xml', '<a/>')).code).toBe(29005)
})

test('a leave is shown to who asked, to who decides, and to nobody else', async () => {
  const asker = await loginAs(t, 'reviewer')
  const decider = await loginAs(t, 'finance')
  const stranger = await loginAs(t, 'finance')
  const userId = (who: Session) => String(who.body.user_id)
  const row = await insert(t.app, Leave, { reason: '探亲', createUser: userId(asker), taskUser: userId(decider) })
  const detail = (who: Session) => get(`blade-desk/process/leave/detail?businessId=${row.id}`, who)
  expect((await detail(asker)).data).toMatchObject({ reason: '探亲', startTime: '2026-01-01 00:00:00' })
  expect((await detail(decider)).data).toMatchObject({ taskUser: userId(decider), taskUserName: expect.any(String) })
  expect((await detail(stranger)).code).toBe(29001)
  expect((await detail(admin)).code).toBe(200)
})

test('a leave is checked before it cannot be started', async () => {
  const taskUser = await makeUser(t)
  const leave = {
    ...{ processDefinitionId: '1', reason: '探亲', taskUser },
    ...{ startTime: '2026-12-01 08:00:00', endTime: '2026-12-02 18:00:00' },
  }
  const start = (more: object) => post('blade-desk/process/leave/start-process', { ...leave, ...more })
  expect((await start({})).msg).toBe('功能尚未开放')
  expect((await start({ endTime: leave.startTime })).msg).toContain('结束时间应晚于开始时间')
  expect((await start({ reason: '' })).code).toBe(29005)
})

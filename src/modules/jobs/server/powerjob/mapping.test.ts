import { describe, expect, test } from 'vitest'
import { addressesOf, addressProblem, inOrder } from './addresses.ts'
import { instantOf, lifecycleOf, lifecycleThere, runStateOf } from './codecs.ts'
import { refusalOf, ServerRefusal, ServerUnreachable } from './errors.ts'
import { jobProblem } from './job-problems.ts'
import { digestOf, localValues, remoteJobOf, remoteValues, type SharedValues, saveRequest } from './mapping.ts'
import { quoteLongNumbers, readAnswer } from './read-answer.ts'

/** A job as our table has it. */
const local = {
  jobName: '对账',
  jobDescription: null,
  jobParams: '{"a":1}',
  extra: null,
  timeExpressionType: 3,
  timeExpression: '60000',
  executeType: 4,
  dispatchStrategy: 2,
  processorType: 4,
  processorInfo: 'com.example.Reconcile',
  enable: 0,
  lifecycle: ['2026-01-01 00:00:00', '2026-12-31 23:59:59'],
  alertThreshold: 3,
  statisticWindowLen: 60,
  silenceWindowLen: 300,
  logType: 4,
  logLevel: 99,
  maxInstanceNum: 1,
  concurrency: 5,
  instanceTimeLimit: 2000,
  instanceRetryNum: 1,
  taskRetryNum: 2,
  minCpuCores: '1.5000',
  minMemorySpace: '0',
  minDiskSpace: '0.25',
  designatedWorkers: '10.0.0.9:27777',
  maxWorkerCount: 3,
}

/** The same as a server answers it. */
const remote = {
  ...local,
  id: 12,
  appId: 1,
  tag: 'juxian:7',
  jobDescription: '',
  timeExpressionType: 3,
  status: 2,
  lifecycle: '{"start":1767196800000,"end":1798732799000}',
  alarmConfig: { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 300 },
  logConfig: { type: 4, level: 99, loggerName: 'worker' },
  minCpuCores: 1.5,
  minMemorySpace: 0.0,
  minDiskSpace: 0.25,
  gmtModified: '2026-11-23T14:00:00.000+0800',
  nextTriggerTime: 1795417200000,
  dispatchStrategyConfig: '{"x":1}',
}

const values = (more: object = {}): SharedValues => localValues({ ...local, ...more })

describe('a job', () => {
  test('is the same here and there where it means the same', () => {
    expect(remoteValues(remoteJobOf(remote))).toEqual(values())
    expect(digestOf(remoteValues(remoteJobOf(remote)))).toBe(digestOf(values()))
    expect(digestOf(values({ jobDescription: ' ', minCpuCores: '1.5' }))).toBe(digestOf(values()))
    expect(digestOf(values({ concurrency: 6 }))).not.toBe(digestOf(values()))
  })

  test('is sent with names, and with what only the server has', () => {
    expect(saveRequest('7', values(), remoteJobOf(remote))).toEqual({
      id: 12,
      tag: 'juxian:7',
      jobName: '对账',
      jobDescription: null,
      jobParams: '{"a":1}',
      extra: null,
      timeExpressionType: 'FIXED_RATE',
      timeExpression: '60000',
      executeType: 'MAP',
      processorType: 'EXTERNAL',
      processorInfo: 'com.example.Reconcile',
      dispatchStrategy: 'RANDOM',
      dispatchStrategyConfig: '{"x":1}',
      enable: false,
      lifeCycle: { start: 1767196800000, end: 1798732799000 },
      alarmConfig: { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 300 },
      logConfig: { type: 4, level: 99, loggerName: 'worker' },
      maxInstanceNum: 1,
      concurrency: 5,
      instanceTimeLimit: 2000,
      instanceRetryNum: 1,
      taskRetryNum: 2,
      minCpuCores: 1.5,
      minMemorySpace: 0,
      minDiskSpace: 0.25,
      designatedWorkers: '10.0.0.9:27777',
      maxWorkerCount: 3,
    })
  })

  test('has when it was changed and when it runs next, and whether it was deleted', () => {
    const job = remoteJobOf({ ...remote, status: 99 })
    expect([job.isDeleted, job.jobId, job.tag]).toEqual([true, '12', 'juxian:7'])
    expect(job.modified?.toISOString()).toBe('2026-11-23T06:00:00.000Z')
    expect(job.nextTime?.getTime()).toBe(1795417200000)
  })

  test.each([
    [{ executeType: 9 }, '执行器类型的取值9未知'],
    [{ jobName: 'x'.repeat(51) }, '任务名称超过50个字符'],
    [{ processorInfo: null }, '处理器参数为空'],
  ])('with %j cannot be kept here', (more, words) => {
    expect(() => remoteValues(remoteJobOf({ ...remote, ...more }))).toThrow(words)
  })
})

test.each([
  ['2026-11-23T06:00:00.000+00:00', '2026-11-23T06:00:00.000Z'],
  ['2026-11-23T14:00:00.123+0800', '2026-11-23T06:00:00.123Z'],
  [1795413600000, '2026-11-23T06:00:00.000Z'],
  ['1795413600000', '2026-11-23T06:00:00.000Z'],
  [null, undefined],
  ['never', undefined],
])('the instant %j is %s', (given, expected) => expect(instantOf(given)?.toISOString()).toBe(expected))

test('a lifecycle that is open at one side gets a time that never matters', () => {
  expect(lifecycleOf('{"end":1798732799000}')).toEqual(['2000-01-01 00:00:00', '2026-12-31 23:59:59'])
  expect(lifecycleOf('{"start":1767196800000}')).toEqual(['2026-01-01 00:00:00', '2099-12-31 23:59:59'])
  expect([lifecycleOf('{}'), lifecycleOf(null), lifecycleOf('broken')]).toEqual([null, null, null])
  expect(lifecycleThere(null)).toEqual({ start: null, end: null })
})

test('long whole numbers become text, and nothing else does', () => {
  const text =
    '{"a":1004693291721031877,"b":-1004693291721031877,"c":0.1234567890123456789,"d":"x \\" 1004693291721031877","e":1e20,"f":[12,1004693291721031878]}'
  expect(JSON.parse(quoteLongNumbers(text))).toEqual({
    a: '1004693291721031877',
    b: '-1004693291721031877',
    c: 0.12345678901234568,
    d: 'x " 1004693291721031877',
    e: 1e20,
    f: [12, '1004693291721031878'],
  })
})

test.each(['<html></html>', '', 'null', '[]', '{"data":1}', '{"success":"yes"}', '{"success":true'])(
  '%j is no answer',
  text => expect(readAnswer(text)).toBeNull(),
)

test('an answer has its code as text', () => {
  const none = { success: false, data: null, message: 'x', code: null }
  expect(readAnswer('{"success":false,"data":null,"message":"x","code":-402}')).toEqual({ ...none, code: '-402' })
  expect(readAnswer('{"success":false,"data":null,"message":"x"}')).toEqual(none)
})

describe('addresses', () => {
  const isListed = (host: string, port: string) => host === 'jobs.example.org' && ['7700', '443'].includes(port)

  test('are read from a list, and the last good one is tried first', () => {
    const list = addressesOf(' http://a:1/ , http://b:2/pre//，http://c:3')
    expect(list).toEqual(['http://a:1', 'http://b:2/pre', 'http://c:3'])
    expect(inOrder(list, 'http://c:3')).toEqual(['http://c:3', 'http://a:1', 'http://b:2/pre'])
    expect(inOrder(list, 'http://d:4')).toEqual(list)
  })

  test.each([
    ['http://jobs.example.org:7700,https://jobs.example.org', null],
    ['http://jobs.example.org:7700,http://169.254.169.254/', 'job.hosts'],
    ['http://jobs.example.org:7701', 'job.hosts'],
    ['ftp://jobs.example.org', 'http://'],
    ['http://u:p@jobs.example.org:7700', 'http://'],
    [',', 'http://'],
    [Array(6).fill('http://jobs.example.org:7700').join(), '最多5个'],
  ])('%s', (text, words) => {
    const problem = addressProblem(text, isListed, false)
    if (words === null) expect(problem).toBeNull()
    else expect(problem).toContain(words)
  })

  test('are one where only one is possible', () => {
    expect(addressProblem('http://jobs.example.org:7700,https://jobs.example.org', isListed, true)).toContain('一个')
  })
})

describe('what a server would refuse is said before', () => {
  const now = new Date('2026-11-23T06:00:00Z')
  const daily = { startTimeOfDay: '09:00:00', endTimeOfDay: '18:00:00', interval: 30 }
  const interval = (more: object) => ({ timeExpressionType: 11, timeExpression: JSON.stringify({ ...daily, ...more }) })

  test.each([
    [{}],
    [{ timeExpressionType: 4, timeExpression: '120000' }],
    [interval({})],
    [interval({ intervalUnit: 'MINUTES', daysOfWeek: [1, 7] })],
    [{ lifecycle: null }],
  ])('nothing of %j', more => expect(jobProblem(values(more), now)).toBeNull())

  test.each([
    [{ timeExpression: '0' }, '1到120000'],
    [{ timeExpression: '1.5' }, '1到120000'],
    [{ timeExpression: '130000' }, '1到120000'],
    [{ timeExpressionType: 2, timeExpression: '0 0 2 15 * 2' }, '日和周'],
    [{ timeExpressionType: 2, timeExpression: '* * * * *' }, '6段'],
    [{ timeExpressionType: 11, timeExpression: '30' }, '每日固定间隔'],
    [interval({ interval: 0 }), '正整数'],
    [{ lifecycle: ['2026-01-01 00:00:00', '2026-11-23 14:00:00'] }, '晚于现在'],
  ])('%j', (more, words) => expect(jobProblem(values(more), now)?.msg).toContain(words))
})

test('states of runs are those of our dictionary, and no others', () => {
  expect([runStateOf(5), runStateOf('10')]).toEqual([5, 10])
  expect(() => runStateOf(7)).toThrow('运行状态的取值7未知')
})

test('people are told that nobody answers, or what the server said', () => {
  expect(refusalOf(new ServerUnreachable('ECONNREFUSED')).message).toBe('任务服务器不可达')
  const words = refusalOf(new ServerRefusal('PowerJobException: time expression is out of date')).message
  expect(words).toContain('任务服务器：time expression is out of date')
  expect(() => refusalOf(new TypeError('x'))).toThrow(TypeError)
})

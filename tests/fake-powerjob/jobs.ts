import { type FakeJob, Refused, type State } from './state.ts'

type Body = Readonly<Record<string, unknown>>

/** Enumerations in the order of their Java sources, by which Jackson reads a number, with the number that is stored. */
const enumerations: Readonly<Record<string, readonly (readonly [name: string, stored: number])[]>> = {
  timeExpressionType: [
    ['API', 1],
    ['CRON', 2],
    ['FIXED_RATE', 3],
    ['FIXED_DELAY', 4],
    ['WORKFLOW', 5],
    ['DAILY_TIME_INTERVAL', 11],
  ],
  executeType: [
    ['STANDALONE', 1],
    ['BROADCAST', 2],
    ['MAP_REDUCE', 3],
    ['MAP', 4],
  ],
  processorType: [
    ['BUILT_IN', 1],
    ['EXTERNAL', 4],
    ['SHELL', 2],
    ['PYTHON', 3],
  ],
  dispatchStrategy: [
    ['HEALTH_FIRST', 1],
    ['RANDOM', 2],
    ['SPECIFY', 11],
  ],
}

/** The stored number of an enumeration that was sent by its name, or by its position. */
function stored(field: string, given: unknown): number {
  const entries = enumerations[field] ?? []
  const found = typeof given === 'number' ? entries[given] : entries.find(([name]) => name === given)
  if (!found) throw new Refused(`HttpMessageNotReadableException: JSON parse error: Cannot deserialize ${field}`)
  return found[1]
}

const needed = ['jobName', 'appId', 'processorInfo', 'executeType', 'processorType', 'timeExpressionType'] as const

/** Most milliseconds between two runs. */
const longestStep = 120_000

function checkTime(type: number, expression: unknown, end: number | null): void {
  if (end !== null && end < Date.now()) throw new Refused('PowerJobException: lifecycle is out of date!')
  const step = Number(expression)
  if ((type === 3 || type === 4) && !(Number.isInteger(step) && step >= 1 && step <= longestStep))
    throw new Refused('PowerJobException: the rate or delay must be between 1 and 120000 ms')
  if (type === 2 && !/^\S+( \S+){5,6}$/.test(String(expression)))
    throw new Refused('PowerJobException: time expression is out of date')
}

/** Everything is replaced by what is sent; receivers of alarms stay when they are not. */
function save(state: State, body: Body): number {
  for (const name of needed)
    if (body[name] === undefined || body[name] === null)
      throw new Refused(`IllegalArgumentException: ${name} can't be null`)
  const before = body.id === undefined || body.id === null ? undefined : state.find(body.id)
  const { start = null, end = null } = (body.lifeCycle ?? {}) as { start?: number | null; end?: number | null }
  const alarm = (body.alarmConfig ?? null) as Record<string, unknown> | null
  const isWhole = ['alertThreshold', 'statisticWindowLen', 'silenceWindowLen'].every(name =>
    Number.isInteger(alarm?.[name]),
  )
  if (alarm && !isWhole) throw new Refused('IllegalArgumentException: illegal alarm config!')
  const timeExpressionType = stored('timeExpressionType', body.timeExpressionType)
  checkTime(timeExpressionType, body.timeExpression, end)
  const text = (name: string) => (body[name] ?? null) as string | null
  const number = (name: string, preset = 0) => Number(body[name] ?? preset)
  const job: Partial<FakeJob> = {
    jobName: String(body.jobName),
    jobDescription: text('jobDescription'),
    appId: Number(body.appId),
    jobParams: text('jobParams'),
    extra: text('extra'),
    tag: text('tag'),
    timeExpressionType,
    timeExpression: text('timeExpression'),
    executeType: stored('executeType', body.executeType),
    processorType: stored('processorType', body.processorType),
    processorInfo: String(body.processorInfo),
    dispatchStrategy: stored('dispatchStrategy', body.dispatchStrategy ?? 'HEALTH_FIRST'),
    dispatchStrategyConfig: text('dispatchStrategyConfig'),
    maxInstanceNum: number('maxInstanceNum'),
    concurrency: number('concurrency', 5),
    instanceTimeLimit: number('instanceTimeLimit'),
    instanceRetryNum: number('instanceRetryNum'),
    taskRetryNum: number('taskRetryNum'),
    status: body.enable === false ? 2 : 1,
    nextTriggerTime: timeExpressionType === 2 ? Date.now() + 3600_000 : null,
    minCpuCores: number('minCpuCores'),
    minMemorySpace: number('minMemorySpace'),
    minDiskSpace: number('minDiskSpace'),
    designatedWorkers: text('designatedWorkers'),
    maxWorkerCount: number('maxWorkerCount'),
    notifyUserIds: Array.isArray(body.notifyUserIds) ? body.notifyUserIds.join(',') : (before?.notifyUserIds ?? null),
    lifecycle: JSON.stringify({ ...(start !== null && { start }), ...(end !== null && { end }) }),
    alarmConfig: alarm ?? before?.alarmConfig ?? null,
    logConfig: (body.logConfig ?? null) as object | null,
  }
  return state.edit({ ...(before && { id: before.id }), ...job })
}

/** Whether a job meets what `queryJob` asks for, as far as anybody here asks. */
const isMeant = (job: FakeJob, body: Body): boolean =>
  (body.appIdEq === undefined || job.appId === Number(body.appIdEq)) &&
  (body.tagEq === undefined || job.tag === body.tagEq) &&
  (body.jobNameEq === undefined || job.jobName === body.jobNameEq) &&
  (body.idEq === undefined || job.id === Number(body.idEq))

/** Calls about jobs. */
export const jobCalls = (state: State): Readonly<Record<string, (body: Body) => unknown>> => {
  const setStatus = (status: number) => (body: Body) => {
    const { id } = state.find(body.jobId)
    state.edit({ id, status })
  }
  return {
    saveJob: body => save(state, body),
    fetchJob: ({ jobId }) => state.dated(state.find(jobId)),
    fetchAllJob: () => [...state.jobs.values()].map(job => state.dated(job)),
    queryJob: body => [...state.jobs.values()].filter(job => isMeant(job, body)).map(job => state.dated(job)),
    enableJob: setStatus(1),
    disableJob: setStatus(2),
    deleteJob: setStatus(99),
  }
}

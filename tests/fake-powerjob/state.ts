/** A job as the server answers it. Dates are written by {@link State.job}. */
export interface FakeJob {
  id: number
  jobName: string
  jobDescription: string | null
  appId: number
  jobParams: string | null
  extra: string | null
  tag: string | null
  timeExpressionType: number
  timeExpression: string | null
  executeType: number
  processorType: number
  processorInfo: string
  dispatchStrategy: number
  dispatchStrategyConfig: string | null
  maxInstanceNum: number
  concurrency: number
  instanceTimeLimit: number
  instanceRetryNum: number
  taskRetryNum: number
  /** 1 on, 2 off, 99 deleted. */
  status: number
  nextTriggerTime: number | null
  minCpuCores: number
  minMemorySpace: number
  minDiskSpace: number
  designatedWorkers: string | null
  maxWorkerCount: number
  notifyUserIds: string | null
  /** JSON text. */
  lifecycle: string | null
  alarmConfig: object | null
  logConfig: object | null
  gmtCreate: number
  gmtModified: number
}

/** A run as the server answers it. */
export interface FakeInstance {
  jobId: number
  appId: number
  instanceId: bigint
  wfInstanceId: bigint | null
  jobParams: string | null
  instanceParams: string | null
  status: number
  type: number
  result: string | null
  expectedTriggerTime: number
  actualTriggerTime: number | null
  finishedTime: number | null
  taskTrackerAddress: string | null
  runningTimes: number
  gmtCreate: number
  gmtModified: number
}

/** A refusal of the server: its words, and in version 5 its code. */
export class Refused extends Error {
  readonly code: string | null

  constructor(words: string, code: string | null = null) {
    super(words)
    this.code = code
  }
}

const deleted = 99

/** What the server keeps. */
export class State {
  readonly jobs = new Map<number, FakeJob>()
  readonly instances = new Map<bigint, FakeInstance>()
  readonly #dates: 'iso' | 'ms'
  #nextInstance = 1004693291721031877n
  #lastTime = 0

  constructor(dates: 'iso' | 'ms') {
    this.#dates = dates
  }

  /** A time of now that is later than all before. */
  tick(): number {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1)
    return this.#lastTime
  }

  /** @throws Refused for a job that was never there */
  find(id: unknown): FakeJob {
    const job = this.jobs.get(Number(id))
    if (!job) throw new Refused(`IllegalArgumentException: can't find job by jobId: ${String(id)}`)
    return job
  }

  edit(values: Partial<FakeJob>): number {
    const id = values.id ?? this.jobs.size + 1
    const before = this.jobs.get(id)
    const now = this.tick()
    this.jobs.set(id, { ...newJob, ...before, ...values, id, gmtCreate: before?.gmtCreate ?? now, gmtModified: now })
    return id
  }

  delete(id: number): void {
    this.edit({ ...this.find(id), status: deleted })
  }

  begin(jobId: number, instanceParams: string | null): bigint {
    const job = this.find(jobId)
    if (job.status === deleted) throw new Refused('IllegalArgumentException: can not run a deleted job')
    const instanceId = this.#nextInstance
    this.#nextInstance += 4096n
    const now = this.tick()
    this.instances.set(instanceId, {
      jobId,
      appId: job.appId,
      instanceId,
      wfInstanceId: null,
      jobParams: job.jobParams,
      instanceParams,
      status: 1,
      type: 1,
      result: null,
      expectedTriggerTime: now,
      actualTriggerTime: null,
      finishedTime: null,
      taskTrackerAddress: null,
      runningTimes: 0,
      gmtCreate: now,
      gmtModified: now,
    })
    return instanceId
  }

  finish(id: bigint, status: number, result: string): void {
    const run = this.instances.get(id)
    if (!run) throw new Error(`no run ${id}`)
    const now = this.tick()
    Object.assign(run, {
      status,
      result,
      actualTriggerTime: run.expectedTriggerTime,
      finishedTime: status >= 4 ? now : null,
      runningTimes: run.runningTimes + 1,
      taskTrackerAddress: '10.0.0.9:27777',
      gmtModified: now,
    })
  }

  /** A row as it is answered: fields named `gmt…` are dates. */
  dated<T extends { gmtCreate: number; gmtModified: number }>(row: T): object {
    const { gmtCreate, gmtModified } = row
    return { ...row, gmtCreate: this.#date(gmtCreate), gmtModified: this.#date(gmtModified) }
  }

  #date(at: number): number | string {
    if (this.#dates === 'ms') return at
    return new Date(at + 8 * 3600_000).toISOString().replace('Z', '+0800')
  }
}

const newJob: FakeJob = {
  id: 0,
  jobName: '对账',
  jobDescription: null,
  appId: 1,
  jobParams: null,
  extra: null,
  tag: null,
  timeExpressionType: 2,
  timeExpression: '0 0 2 * * ?',
  executeType: 1,
  processorType: 1,
  processorInfo: 'com.example.Reconcile',
  dispatchStrategy: 1,
  dispatchStrategyConfig: null,
  maxInstanceNum: 0,
  concurrency: 5,
  instanceTimeLimit: 0,
  instanceRetryNum: 0,
  taskRetryNum: 0,
  status: 1,
  nextTriggerTime: null,
  minCpuCores: 0,
  minMemorySpace: 0,
  minDiskSpace: 0,
  designatedWorkers: null,
  maxWorkerCount: 0,
  notifyUserIds: null,
  lifecycle: null,
  alarmConfig: null,
  logConfig: null,
  gmtCreate: 0,
  gmtModified: 0,
}

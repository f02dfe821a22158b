import { createHash } from 'node:crypto'
import type { Row } from '#engine'
import { JobEnable, JobTimeType } from '#schemas/dictionaries'
import { JobInfo } from '#schemas/jobs/job-info'
import { choices, instantOf, keyOf, lifecycleOf, lifecycleThere, logOf, nameOf, UnknownValue } from './codecs.ts'
import { idOf, objectOf } from './read-answer.ts'

/** Fields of a job that both sides have and that are kept equal. Who is told of errors stays here. */
export const sharedFields = [
  'jobName',
  'jobDescription',
  'jobParams',
  'extra',
  'timeExpressionType',
  'timeExpression',
  'executeType',
  'dispatchStrategy',
  'processorType',
  'processorInfo',
  'enable',
  'lifecycle',
  'alertThreshold',
  'statisticWindowLen',
  'silenceWindowLen',
  'logType',
  'logLevel',
  'maxInstanceNum',
  'concurrency',
  'instanceTimeLimit',
  'instanceRetryNum',
  'taskRetryNum',
  'minCpuCores',
  'minMemorySpace',
  'minDiskSpace',
  'designatedWorkers',
  'maxWorkerCount',
] as const satisfies readonly (keyof Row<typeof JobInfo>)[]

type SharedField = (typeof sharedFields)[number]

/** What both sides of a job are compared by. */
export type SharedValues = Pick<Row<typeof JobInfo>, SharedField>

/** A job as a PowerJob server has it. */
export interface RemoteJob {
  readonly jobId: string
  /** Whether it was deleted there; such jobs are answered like others. */
  readonly isDeleted: boolean
  readonly modified: Date | null
  readonly nextTime: Date | null
  /** The id of the job here that it was made for; empty for one that was made there. */
  readonly tag: string
  /** As it was answered. */
  readonly whole: Readonly<Record<string, unknown>>
}

/** What a job at a server is marked with: the id of ours. */
export const tagOf = (id: string): string => `juxian:${id}`

const deletedStatus = 99
const enabledStatus = 1

/** Reads a job as a server writes it. @throws ServerUnreachable for one without an id */
export function remoteJobOf(whole: Readonly<Record<string, unknown>>): RemoteJob {
  return {
    jobId: idOf(whole.id),
    isDeleted: Number(whole.status) === deletedStatus,
    modified: instantOf(whole.gmtModified),
    nextTime: instantOf(whole.nextTriggerTime),
    tag: typeof whole.tag === 'string' ? whole.tag : '',
    whole,
  }
}

const textOf = (value: unknown): string | null => {
  const text = value === null || value === undefined ? '' : String(value).normalize('NFC')
  return text.trim() === '' ? null : text
}
const lineOf = (value: unknown): string | null => textOf(value)?.trim() ?? null
const countOf = (value: unknown, preset = 0): number => {
  const number = Number(value ?? preset)
  return Number.isInteger(number) && number >= 0 && number <= 2_147_483_647 ? number : preset
}
/** A decimal as it is stored here: up to four decimals, without zeros at the end. */
const decimalOf = (value: unknown): string => {
  const number = Number(value ?? 0)
  return Number.isFinite(number) && number > 0 ? String(Number(number.toFixed(4))) : '0'
}

/** One job in the form in which both sides are compared: what means the same is the same. */
const normal = (values: { readonly [K in SharedField]?: unknown }): SharedValues => ({
  jobName: lineOf(values.jobName) ?? '',
  jobDescription: lineOf(values.jobDescription),
  jobParams: textOf(values.jobParams),
  extra: lineOf(values.extra),
  timeExpressionType: Number(values.timeExpressionType) as never,
  timeExpression: isTimed(values.timeExpressionType) ? lineOf(values.timeExpression) : null,
  executeType: Number(values.executeType) as never,
  dispatchStrategy: Number(values.dispatchStrategy) as never,
  processorType: Number(values.processorType) as never,
  processorInfo: lineOf(values.processorInfo) ?? '',
  enable: Number(values.enable) as never,
  lifecycle: Array.isArray(values.lifecycle) && values.lifecycle.length > 0 ? values.lifecycle : null,
  alertThreshold: countOf(values.alertThreshold),
  statisticWindowLen: countOf(values.statisticWindowLen),
  silenceWindowLen: countOf(values.silenceWindowLen),
  ...(logOf({ type: values.logType, level: values.logLevel }) as Pick<SharedValues, 'logType' | 'logLevel'>),
  maxInstanceNum: countOf(values.maxInstanceNum),
  concurrency: countOf(values.concurrency, JobInfo.properties.concurrency.default as number),
  instanceTimeLimit: countOf(values.instanceTimeLimit),
  instanceRetryNum: countOf(values.instanceRetryNum),
  taskRetryNum: countOf(values.taskRetryNum),
  minCpuCores: decimalOf(values.minCpuCores),
  minMemorySpace: decimalOf(values.minMemorySpace),
  minDiskSpace: decimalOf(values.minDiskSpace),
  designatedWorkers: lineOf(values.designatedWorkers),
  maxWorkerCount: countOf(values.maxWorkerCount),
})

const isTimed = (type: unknown): boolean => Number(type) !== JobTimeType.api && Number(type) !== JobTimeType.workflow

/** What both sides are compared by, of a job here. */
export const localValues = (row: { readonly [K in SharedField]?: unknown }): SharedValues => normal(row)

/**
 * What both sides are compared by, of a job at a server.
 * @throws UnknownValue for what cannot be kept here, in words
 */
export function remoteValues({ whole }: RemoteJob): SharedValues {
  const { type, level } = objectOf(whole.logConfig)
  const { alertThreshold, statisticWindowLen, silenceWindowLen } = objectOf(whole.alarmConfig)
  const values = normal({
    ...whole,
    timeExpressionType: keyOf(choices.timeExpressionType, whole.timeExpressionType),
    executeType: keyOf(choices.executeType, whole.executeType),
    dispatchStrategy: keyOf(choices.dispatchStrategy, whole.dispatchStrategy ?? 1),
    processorType: keyOf(choices.processorType, whole.processorType),
    enable: Number(whole.status) === enabledStatus ? JobEnable.enabled : JobEnable.paused,
    lifecycle: lifecycleOf(whole.lifecycle ?? whole.lifeCycle),
    alertThreshold,
    statisticWindowLen,
    silenceWindowLen,
    logType: type,
    logLevel: level,
  })
  for (const name of sharedFields) {
    const { maxLength, title } = JobInfo.properties[name] as { maxLength?: number; title: string }
    const value = values[name]
    if (maxLength !== undefined && typeof value === 'string' && value.length > maxLength)
      throw new UnknownValue(`${title}超过${maxLength}个字符`)
  }
  if (values.jobName === '' || values.processorInfo === '') throw new UnknownValue('任务名称或处理器参数为空')
  return values
}

/** A digest of what both sides are compared by. */
export const digestOf = (values: SharedValues): string =>
  createHash('sha256')
    .update(JSON.stringify(sharedFields.map(name => values[name])))
    .digest('hex')

/** What a server keeps of a job that has no field here, and that saving would take away. */
const keptThere = ['dispatchStrategyConfig', 'advancedRuntimeConfig'] as const

/**
 * A job as `saveJob` takes it, which replaces everything: what has no field here stays as the server has it. Receivers of alarms
 * are users of PowerJob, and are left out.
 * @param before the job as the server has it; null for a new one
 */
export function saveRequest(id: string, values: SharedValues, before: RemoteJob | null): Record<string, unknown> {
  const { timeExpressionType, executeType, processorType, dispatchStrategy, lifecycle, enable, ...row } = values
  const { alertThreshold, statisticWindowLen, silenceWindowLen, logType, logLevel, ...rest } = row
  const { minCpuCores, minMemorySpace, minDiskSpace, ...plain } = rest
  const there = before?.whole ?? {}
  const kept = keptThere.flatMap(name =>
    there[name] === null || there[name] === undefined ? [] : [[name, there[name]]],
  )
  const { loggerName } = objectOf(there.logConfig)
  return {
    ...Object.fromEntries(kept),
    ...plain,
    ...(before && { id: Number(before.jobId) }),
    tag: tagOf(id),
    timeExpressionType: nameOf(choices.timeExpressionType, timeExpressionType),
    executeType: nameOf(choices.executeType, executeType),
    processorType: nameOf(choices.processorType, processorType),
    dispatchStrategy: nameOf(choices.dispatchStrategy, dispatchStrategy),
    enable: enable === JobEnable.enabled,
    lifeCycle: lifecycleThere(lifecycle),
    alarmConfig: { alertThreshold, statisticWindowLen, silenceWindowLen },
    logConfig: { type: logType, level: logLevel, ...(typeof loggerName === 'string' && { loggerName }) },
    minCpuCores: Number(minCpuCores),
    minMemorySpace: Number(minMemorySpace),
    minDiskSpace: Number(minDiskSpace),
  }
}

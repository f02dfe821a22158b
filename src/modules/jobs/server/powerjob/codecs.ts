import {
  JobDispatch,
  JobExecuteType,
  JobInstanceStatus,
  JobLogLevel,
  JobLogType,
  JobProcessor,
  JobTimeType,
} from '#schemas/dictionaries'
import { readTime, wireTime } from '../../../../platform/http/server/wire.ts'

/** A choice that PowerJob writes as a number and reads as a name. The numbers are those of our dictionaries. */
interface Choice {
  readonly title: string
  readonly names: Readonly<Record<number, string>>
}

/** Names of choices, which a server reads; numbers it would take for positions in its lists. */
export const choices = {
  timeExpressionType: {
    title: '定时信息',
    names: {
      [JobTimeType.api]: 'API',
      [JobTimeType.cron]: 'CRON',
      [JobTimeType.fixedRate]: 'FIXED_RATE',
      [JobTimeType.fixedDelay]: 'FIXED_DELAY',
      [JobTimeType.workflow]: 'WORKFLOW',
      [JobTimeType.dailyInterval]: 'DAILY_TIME_INTERVAL',
    },
  },
  executeType: {
    title: '执行器类型',
    names: {
      [JobExecuteType.standalone]: 'STANDALONE',
      [JobExecuteType.broadcast]: 'BROADCAST',
      [JobExecuteType.mapReduce]: 'MAP_REDUCE',
      [JobExecuteType.map]: 'MAP',
    },
  },
  processorType: {
    title: '处理器类型',
    names: {
      [JobProcessor.builtIn]: 'BUILT_IN',
      [JobProcessor.external]: 'EXTERNAL',
      [JobProcessor.shell]: 'SHELL',
      [JobProcessor.python]: 'PYTHON',
    },
  },
  dispatchStrategy: {
    title: '运行时配置',
    names: {
      [JobDispatch.healthFirst]: 'HEALTH_FIRST',
      [JobDispatch.random]: 'RANDOM',
      [JobDispatch.specified]: 'SPECIFY',
    },
  },
} as const satisfies Readonly<Record<string, Choice>>

/** A value of PowerJob for which there is none here. The message says which, for people. */
export class UnknownValue extends Error {
  override name = 'UnknownValue'
}

/** The name by which a server reads a choice. */
export const nameOf = ({ names }: Choice, key: number): string => {
  const name = names[key]
  if (name === undefined) throw new Error(`PowerJob has no name for ${key}.`)
  return name
}

/** A choice as a server writes it: its number, or of some versions its name. @throws UnknownValue */
export function keyOf({ title, names }: Choice, value: unknown): number {
  const found = Object.entries(names).find(([key, name]) => key === String(value) || name === value)
  if (!found) throw new UnknownValue(`${title}的取值${String(value)}未知`)
  return Number(found[0])
}

const logTypes: readonly number[] = Object.values(JobLogType)
const logLevels: readonly number[] = Object.values(JobLogLevel)

/** Where and from which level on a job logs; what is not known here counts as what a new job has. */
export const logOf = ({ type, level }: { type?: unknown; level?: unknown }) => ({
  logType: logTypes.includes(Number(type)) ? Number(type) : JobLogType.online,
  logLevel: logLevels.includes(Number(level)) ? Number(level) : JobLogLevel.info,
})

const runStates: readonly number[] = Object.values(JobInstanceStatus)

/** The state of a run, whose numbers are those of our dictionary. @throws UnknownValue */
export function runStateOf(value: unknown): (typeof JobInstanceStatus)[keyof typeof JobInstanceStatus] {
  if (!runStates.includes(Number(value))) throw new UnknownValue(`运行状态的取值${String(value)}未知`)
  return Number(value) as never
}

/** An instant as a server writes it: milliseconds since 1970, or ISO 8601 with its offset; null where there is none. */
export function instantOf(value: unknown): Date | null {
  if (value === null || value === undefined || value === '' || value === 0) return null
  const isNumber = typeof value === 'number' || /^\d+$/.test(String(value))
  // Java writes the offset without a colon.
  const text = String(value).replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const at = new Date(isNumber ? Number(value) : text)
  return Number.isNaN(at.getTime()) ? null : at
}

/** What stands for a side of a lifecycle that a server leaves open. */
const open = ['2000-01-01 00:00:00', '2099-12-31 23:59:59'] as const

/** From when until when a job is in force, as our jobs have it: two times of the wire, null for always. */
export function lifecycleOf(value: unknown): [string, string] | null {
  const { start, end } = typeof value === 'string' ? readObject(value) : ((value ?? {}) as Record<string, unknown>)
  const [from, to] = [instantOf(start), instantOf(end)]
  return from || to ? [wireTime(from) || open[0], wireTime(to) || open[1]] : null
}

function readObject(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** A lifecycle as a server reads it, in milliseconds; without both for always, because one that is left out would stay. */
export function lifecycleThere(value: unknown): { start: number | null; end: number | null } {
  const [start = null, end = null] = (Array.isArray(value) ? value : []).map(one => readTime(String(one))?.getTime())
  return { start, end }
}

import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { JobExecuteType, JobProcessor, JobServerType, jobExecuteType } from '#schemas/dictionaries'
import type { JobInfo } from '#schemas/jobs/job-info'
import { wrongInput } from '../../../crud/input.ts'
import { aliveNodes } from '../../../platform/queue/nodes.ts'
import { canExecute, processorOf } from './processors.ts'

type Job = Partial<JobInfo>

/** Work of one job at once in one process, at most. */
const mostConcurrency = 20

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

async function checkProcessor(app: FastifyInstance, job: Job): Promise<void> {
  const { processorInfo = '', executeType = JobExecuteType.standalone, jobParams } = job
  if (job.processorType !== undefined && job.processorType !== JobProcessor.builtIn)
    throw wrong('processorType', '内置任务服务没有外部处理器')
  const processor = processorOf(app, processorInfo)
  if (!processor) throw wrong('processorInfo', `没有名为${processorInfo}的处理器`)
  if (!canExecute(processor, executeType))
    throw wrong('executeType', `该处理器不支持${jobExecuteType.entries[executeType]}`)
  const problem = await processor.check?.(app, jobParams ?? null)
  if (problem) throw wrong('jobParams', problem)
}

const machine = ['minCpuCores', 'minMemorySpace', 'minDiskSpace', 'maxWorkerCount'] as const

async function checkPlaces(app: FastifyInstance, job: Job): Promise<void> {
  for (const name of machine) if (Number(job[name] ?? 0) > 0) throw wrong(name, '内置任务服务不按机器条件挑选，请填0')
  const { concurrency, designatedWorkers } = job
  if (concurrency !== undefined && concurrency !== null && (concurrency < 1 || concurrency > mostConcurrency))
    throw wrong('concurrency', `单机线程并发数应为 1 到 ${mostConcurrency}`)
  const names = commaList(designatedWorkers)
  if (names.length === 0) return
  const alive = await aliveNodes(app)
  const unknown = names.find(name => !alive.includes(name))
  if (unknown) throw wrong('designatedWorkers', `没有名为${unknown}的进程`)
}

/**
 * Refuses what the built-in server cannot do, or one that is told of its jobs.
 * @param given what is new: what a job has from before is left as it is
 */
export async function checkServerKind(
  app: FastifyInstance,
  type: number | undefined,
  job: Job,
  given: Job,
): Promise<void> {
  const isNew = (...names: (keyof JobInfo)[]) => names.some(name => given[name] !== undefined)
  if (type === JobServerType.webhook && isNew('executeType') && job.executeType !== JobExecuteType.standalone)
    throw wrong('executeType', 'Webhook任务只能单机执行')
  if (type !== JobServerType.builtIn) return
  if (isNew('processorInfo', 'processorType', 'executeType', 'jobParams')) await checkProcessor(app, job)
  if (isNew('concurrency', 'designatedWorkers', ...machine)) await checkPlaces(app, job)
}

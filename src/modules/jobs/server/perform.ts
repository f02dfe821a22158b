import type { FastifyInstance } from 'fastify'
import { JobServerType } from '#schemas/dictionaries'
import { isAllowedHost } from '../../../platform/channels/outside/allowed-host.ts'
import { guardedFetch } from '../../../platform/channels/outside/guarded-fetch.ts'
import { readPlatformParam } from '../../../platform/database/param.ts'
import { FinalFailure } from '../../../platform/queue/piece.ts'
import type { ProcessorContext } from '../../../platform/queue/processors.ts'
import type { Run } from './instances.ts'
import { processorOf } from './processors.ts'

/** Milliseconds a run may take where its job sets no limit. */
const usualTime = 600_000

/** What is to be done, and where. */
export interface Work {
  jobName: string
  processorInfo: string
  jobParams: string | null
  extra: string | null
  instanceTimeLimit: number | null
  serverType: number
  jobServerUrl: string
  jobAppName: string
  /** Sealed. */
  jobAppPassword: string
}

/** Tells an application what to do: one `POST` at its address, which it answers when the work is done. */
async function tell(app: FastifyInstance, work: Work, run: Run, signal: AbortSignal): Promise<string> {
  const hosts = await readPlatformParam(app, 'job.hosts')
  const isListed = (host: string, port: string) => isAllowedHost(host, port, hosts)
  const url = new URL(work.jobServerUrl)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  // The list may have become shorter since the address was written down.
  if (!isListed(url.hostname, port)) throw new Error(`${url.host} is not in job.hosts`)
  const secret = Buffer.from(`${work.jobAppName}:${app.vault.open(work.jobAppPassword)}`).toString('base64')
  const { jobName, processorInfo, extra } = work
  const answer = await guardedFetch(isListed)(url, {
    method: 'POST',
    signal,
    time: work.instanceTimeLimit || usualTime,
    headers: { authorization: `Basic ${secret}`, 'content-type': 'application/json', 'idempotency-key': run.id },
    body: JSON.stringify({
      instanceId: run.id,
      jobName,
      processorInfo,
      jobParams: run.params ?? work.jobParams,
      extra,
    }),
  })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  return `HTTP ${answer.status}`
}

/**
 * Does the work of a run in this process: of the built-in server by the processor of that name, of another by the application. An
 * application may be told of a run twice, when a process has ended in the middle; its `Idempotency-Key` is the same then.
 * @returns in a few words what came of it, none where it is enough that it went well
 * @throws AlreadyRunning, and whatever went wrong
 */
export async function perform(app: FastifyInstance, work: Work, run: Run, ctx: ProcessorContext): Promise<string> {
  if (work.serverType !== JobServerType.builtIn) return tell(app, work, run, ctx.signal)
  const processor = processorOf(app, work.processorInfo)
  if (!processor?.run) throw new FinalFailure(`没有名为${work.processorInfo}的处理器`)
  return (await processor.run(ctx)) ?? ''
}

import type { jobInfo } from '#resources/jobs/job-info'
import { JobEnable, JobInstanceStatus, JobTimeType } from '#schemas/dictionaries'
import type { HandlerOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { notImplemented, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { isRunnable } from '../rules/job-time.ts'
import { enterRun } from './instances.ts'
import { runThere } from './powerjob/calls.ts'

/** Characters of what a run is given. */
const longest = 10_000

/**
 * Enters a run of a job that any process begins within seconds; a job of a PowerJob server is begun there.
 * @returns the id of the run, of PowerJob the one that the server gave it
 * @throws row.notFound, input.invalid, row.wrongState while it is switched off and nobody has confirmed that it is to run all the same, and
 * for work of the server itself that is being done
 */
export const runJob: HandlerOf<typeof jobInfo, 'run'> = async ({ app, db, person, now, ids, action, request }) => {
  const source = { ...(request.body as object | undefined), ...(request.query as object) } as Record<string, unknown>
  const params = source.jobParams === undefined ? null : String(source.jobParams)
  if (params && params.length > longest) throw refuse('input.invalid', { 说明: '任务参数过长' })
  const isConfirmed = action === 'runPaused' || String(source.confirm) === '1'
  const begun = await runThere({ app, db, person, now }, { id: ids[0] ?? '0', params, isConfirmed })
  if (begun) return begun
  return db.transaction().execute(async trx => {
    const job = await scoped(app, person, 'job_info', trx)
      .select([
        'id',
        'enable',
        'executeType',
        'processorType',
        'maxInstanceNum',
        'instanceRetryNum',
        'designatedWorkers',
        'builtin',
        'timeExpressionType',
      ])
      .where('id', 'in', ids.slice(0, 1))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!job) throw refuse('row.notFound')
    if (job.enable !== JobEnable.enabled && !isConfirmed) throw refuse('row.wrongState')
    if (job.timeExpressionType === JobTimeType.workflow)
      throw refuseSaying('row.wrongState', '工作流任务只作为工作流的节点运行')
    if (!isRunnable(job)) throw notImplemented()
    const open = await trx
      .selectFrom('job_instance')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('jobInfoId', '=', job.id)
      .where('state', 'in', [JobInstanceStatus.waiting, JobInstanceStatus.running])
      .executeTakeFirstOrThrow()
    if (job.builtin && Number(open.n) > 0) throw refuse('row.wrongState')
    const { tenantId, userId } = person
    const entered = { ...job, tenantId, open: Number(open.n) }
    return { instanceId: (await enterRun(app, trx, { job: entered, now, userId, params })) ?? '' }
  })
}

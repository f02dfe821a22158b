import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { commaList } from '#engine'
import { JobInstanceStatus } from '#schemas/dictionaries'
import type { JobInfo } from '#schemas/jobs/job-info'
import { type AnyTrx, liveFor, updateUnstamped } from '../../../platform/database/live.ts'
import { tellInbox } from '../../messages/server/inbox.ts'

/** What a job says of alarms. */
export type Alarmed = Pick<JobInfo, 'id' | 'tenantId' | 'jobName' | 'notifyUserIds'> &
  Pick<JobInfo, 'alertThreshold' | 'statisticWindowLen' | 'silenceWindowLen'>

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000)

/**
 * Tells the receivers of a job that runs of it have failed: at the threshold of failures within its window (without a window, since the
 * last alarm; without a threshold, at each failure), and not again while its silence lasts. In the transaction in which the last of
 * these runs has failed; of several at one moment the one that moves the time of the last alarm on tells.
 */
export async function alarm(app: FastifyInstance, trx: AnyTrx, job: Alarmed, reason: string): Promise<void> {
  const { id, tenantId, jobName, notifyUserIds } = job
  if (!notifyUserIds) return
  const now = app.now()
  const [threshold, windowLen, silence] = [
    job.alertThreshold || 1,
    job.statisticWindowLen ?? 0,
    job.silenceWindowLen ?? 0,
  ]
  const db = liveFor(trx, { tenantId, userId: null, now: () => now })
  const counted = await db
    .selectFrom('job_instance as r')
    .innerJoin('job_info as i', 'i.id', 'r.jobInfoId')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('r.jobInfoId', '=', id)
    .where('r.state', '=', JobInstanceStatus.failed)
    .$if(windowLen > 0, query => query.where('r.endTime', '>', before(now, windowLen)))
    .$if(windowLen === 0, query =>
      query.where(eb => eb('r.endTime', '>', eb.fn.coalesce('i.lastAlarmTime', sql<Date>`'-infinity'::timestamptz`))),
    )
    .executeTakeFirstOrThrow()
  if (Number(counted.n) < threshold) return
  const mine = await updateUnstamped(db, 'job_info')
    .set({ lastAlarmTime: now })
    .where('id', '=', id)
    .where(eb =>
      eb.or([
        eb('lastAlarmTime', 'is', null),
        silence > 0 ? eb('lastAlarmTime', '<=', before(now, silence)) : eb('lastAlarmTime', '<=', now),
      ]),
    )
    .executeTakeFirst()
  if (mine.numUpdatedRows === 0n) return
  const content = `任务“${jobName}”失败${Number(counted.n)}次，最近一次：${reason}`
  await tellInbox(
    app,
    trx,
    { tenantId, userIds: commaList(notifyUserIds), title: `任务失败：${jobName}`, content },
    now,
  )
}

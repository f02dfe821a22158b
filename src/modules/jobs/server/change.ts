import { JobEnable } from '#schemas/dictionaries'
import type { Handler } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { nextTimeOf } from '../rules/job-time.ts'
import { planJobs, timed } from './instances.ts'

/**
 * Switches jobs on or off.
 * @throws row.notFound, input.invalid, row.wrongState when somebody else has switched them so
 */
export const changeJob: Handler = async ({ app, person, now, ids, request }) => {
  const source = { ...(request.body as object | undefined), ...(request.query as object) } as Record<string, unknown>
  const enable = Number(source.enable)
  if (enable !== JobEnable.paused && enable !== JobEnable.enabled)
    throw refuse('input.invalid', { 说明: '状态取值不正确' })
  return app.db.transaction().execute(async trx => {
    const jobs = scoped(app, person, 'job_info', trx)
      .select(['id', 'updateUser', ...timed])
      .where('id', 'in', ids)
    const rows = await jobs.forNoKeyUpdate().execute()
    if (rows.length < ids.length) throw refuse('row.notFound')
    const moved = rows.filter(job => job.enable !== enable)
    const movedIds = moved.map(job => job.id)
    if (moved.length === 0) {
      if (rows.every(job => isOwnRepeat(job, true, person))) return {}
      throw refuse('row.wrongState')
    }
    await trx
      .updateTable('job_info')
      .set({ enable, updateUser: person.userId, updateTime: now })
      .where('id', 'in', movedIds)
      .execute()
    const times = moved.map(job => nextTimeOf({ ...job, enable }, null, now))
    await planJobs(trx, movedIds, times)
    return {}
  })
}

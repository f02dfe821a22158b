import { workItem } from '#resources/jobs/work-item'
import { guard, on } from '../../../crud/rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Work in the background that was given up may be tried again, unless the same work was entered anew meanwhile. */
export const workItemRules = [
  guard(workItem, 'retry', async ({ app, trx, rows }) => {
    for (const { id } of rows) if (!(await app.queue.mayRetry(trx, id))) throw refuse('row.wrongState')
  }),
  on(workItem, 'retry', async ({ app, trx, rows }) => {
    for (const { id } of rows) await app.queue.tellRetried(trx, id)
    app.queue.nudge()
  }),
]

import type { FastifyInstance } from 'fastify'
import type { QueryOf, ReplyOf } from '#engine'
import type { Caller } from '../../../platform/access/server/caller.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import type { copies } from '../contract.ts'
import './flow-tables.ts'
import { kinds, runPage } from './runs.ts'

/** Runs that a person is told of, those that began last first. */
export async function copyPage(
  app: FastifyInstance,
  person: Person,
  { isRead, ...query }: QueryOf<typeof copies>,
): Promise<ReplyOf<typeof copies>> {
  const page = await runPage(app, person, kinds.copies(person, isRead), query)
  const ids = page.records.map(row => row.processInstanceId)
  const read =
    ids.length === 0
      ? []
      : await liveAs(app, person)
          .selectFrom('flow_copy')
          .select(['instanceId', 'readTime'])
          .where('userId', '=', person.userId)
          .where('instanceId', 'in', ids)
          .execute()
  const timeOf = (id: string) => read.find(({ instanceId }) => instanceId === id)?.readTime ?? null
  return { ...page, records: page.records.map(row => ({ ...row, readTime: timeOf(row.processInstanceId) })) }
}

/** Marks a run that somebody is told of as read; the first time is kept. */
export async function markRead({ db, person, now }: Caller, instanceId: string): Promise<void> {
  await db
    .updateTable('flow_copy')
    .set({ readTime: now })
    .where('instanceId', '=', instanceId)
    .where('userId', '=', person.userId)
    .where('readTime', 'is', null)
    .execute()
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { QueryOf, ReplyOf } from '#engine'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { type Page, page, pageOf } from '../../../platform/http/server/page.ts'
import type { deployedProcesses } from '../contract.ts'

type DefinitionQuery = QueryOf<typeof deployedProcesses>
type Definition = ReplyOf<typeof deployedProcesses>['records'][number]

import { startableBy } from './starters.ts'
/** A filter by its own names, where the ones of Blade's lists of models were given. */
export const definitionNames = <
  Q extends Pick<DefinitionQuery, 'key' | 'name' | 'processDefinitionKey' | 'processDefinitionName'>,
>({
  key,
  name,
  ...query
}: Q) => ({
  ...query,
  processDefinitionKey: query.processDefinitionKey || key,
  processDefinitionName: query.processDefinitionName || name,
})

/** The processes that have been deployed, the newest first. */
export async function deployedPage(
  app: FastifyInstance,
  person: Person,
  asked: DefinitionQuery,
  /** Only what the person may begin. */
  isToStart = false,
): Promise<Page<Definition>> {
  const query = definitionNames(asked)
  const at = pageOf(query)
  const may = isToStart ? await startableBy(liveAs(app, person), person) : null
  const found = scoped(app, person, 'flow_deployment')
    .where('deployTime', 'is not', null)
    .$if(may !== null, one => one.where(may as NonNullable<typeof may>))
    .$if(Boolean(query.category), one => one.where('category', '=', Number(query.category) as 1))
    .$if(Boolean(query.processDefinitionKey), one => one.where('modelKey', '=', String(query.processDefinitionKey)))
    .$if(Boolean(query.suspensionState), one => one.where('suspensionState', '=', query.suspensionState as 1))
    .$if(Boolean(query.processDefinitionName), one =>
      one.where(eb => eb(eb.fn('strpos', ['name', eb.val(query.processDefinitionName)]), '>', 0)),
    )
  const { n } = await found.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow()
  const rows = await found
    .select(['id', 'modelKey', 'name', 'category', 'suspensionState', 'deployTime'])
    .select(
      sql<number>`(SELECT max(v.version) FROM flow_version v WHERE v."deploymentId" = flow_deployment.id)`.as(
        'version',
      ),
    )
    .orderBy('deployTime', 'desc')
    .orderBy('id', 'desc')
    .limit(at.size)
    .offset(at.offset)
    .execute()
  const records = rows.map(({ id, modelKey, ...row }) => ({
    ...row,
    id,
    key: modelKey,
    deploymentId: id,
    processDefinitionId: id,
    processDefinitionName: row.name,
    processDefinitionKey: modelKey,
  }))
  return page(records, Number(n), at)
}

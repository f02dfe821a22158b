import type { FastifyInstance } from 'fastify'
import type { AnswerOf } from '#engine'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import type { modelChoices } from '../contract.ts'

/** What a model may name, in the order in which people list it. */
export async function choicesFor(app: FastifyInstance, me: Person): Promise<AnswerOf<typeof modelChoices>> {
  const db = liveAs(app, me)
  const [roles, posts] = await Promise.all([
    db.selectFrom('role').select(['roleAlias', 'roleName']).orderBy('sort').orderBy('id').execute(),
    db.selectFrom('post').select(['postCode', 'postName']).orderBy('sort').orderBy('id').execute(),
  ])
  return { roles, posts }
}

/** The id of the model that has a key, which is its own in a tenant. */
export async function idOf(app: FastifyInstance, me: Person, modelKey: string): Promise<string> {
  const found = liveAs(app, me).selectFrom('flow_deployment').select('id').where('modelKey', '=', modelKey)
  return (await found.executeTakeFirstOrThrow()).id
}

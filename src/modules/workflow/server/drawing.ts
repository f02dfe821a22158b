import type { FastifyInstance } from 'fastify'
import type { AnswerOf } from '#engine'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import type { modelChoices } from '../contract.ts'
import { httpAction } from '../rules/http-fields.ts'
import { flowActions } from './actions.ts'
import { flowForms } from './forms.ts'

/** Forms that models may name. */
const forms = flowForms.map(({ key, entity }) => ({ key, title: entity.title }))

/** Actions that models may name. A call to another system is drawn as one of its own kind. */
const actions = flowActions
  .filter(({ name }) => name !== httpAction)
  .map(({ name, title, fields }) => ({
    name,
    title,
    fields: fields.map(one => ({ ...one, required: one.required === true, isPeople: one.isPeople === true })),
  }))

/** What a model may name, in the order in which people list it. */
export async function choicesFor(app: FastifyInstance, me: Person): Promise<AnswerOf<typeof modelChoices>> {
  const db = liveAs(app, me)
  const [roles, posts, processes] = await Promise.all([
    db.selectFrom('role').select(['roleAlias', 'roleName']).orderBy('sort').orderBy('id').execute(),
    db.selectFrom('post').select(['postCode', 'postName']).orderBy('sort').orderBy('id').execute(),
    scoped(app, me, 'flow_deployment')
      .select(['modelKey', 'name', 'suspensionState'])
      .where('deployTime', 'is not', null)
      .orderBy('modelKey')
      .execute(),
  ])
  return { roles, posts, forms, actions, processes }
}

/** The model that has an id or a key, which is its own in a tenant, as it is now. */
export async function savedModel(
  app: FastifyInstance,
  me: Person,
  by: { id: string } | { modelKey: string },
): Promise<{ id: string; version: number }> {
  const found = liveAs(app, me).selectFrom('flow_deployment').select(['id', 'version'])
  const one = 'id' in by ? found.where('id', '=', by.id) : found.where('modelKey', '=', by.modelKey)
  const { id, version } = await one.executeTakeFirstOrThrow()
  return { id, version: version ?? 0 }
}

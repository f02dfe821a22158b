import type { FastifyInstance, FastifyRequest } from 'fastify'
import { wrongInput } from '../../../../crud/input.ts'
import { draftOf, dropDraft, keepDraft } from '../../../../screens/contract.ts'
import { person } from '../../../http/server/access.ts'
import { liveAs } from '../../../http/server/live.ts'
import { serve } from '../../../http/server/serve.ts'
import { type DraftPlace, dropDraft as drop, dropOldDrafts, keepDraft as keep, readDraft } from '../drafts.ts'

const isValues = (one: unknown): boolean => typeof one === 'object' && one !== null && !Array.isArray(one)

/** Forms that staff have begun to fill in: everybody meets their own alone. */
export default async function draftRoutes(app: FastifyInstance): Promise<void> {
  const db = (request: FastifyRequest) => liveAs(app, person(request))
  const placeOf = (request: FastifyRequest, { form, rowId = '' }: { form: string; rowId?: string }): DraftPlace => ({
    userId: person(request).userId,
    form,
    rowId,
  })
  serve(app, draftOf, async ({ query, request }) => {
    const draft = await readDraft(app, db(request), placeOf(request, query))
    return draft ? [draft] : []
  })
  serve(app, keepDraft, async ({ body, request }) => {
    const { key, values, base } = body
    const wrong = Object.entries({ values, base }).filter(([, one]) => !isValues(one))
    if (wrong.length > 0) throw wrongInput(wrong.map(([field]) => ({ field, msg: '内容应为字段与值' })))
    await keep(app, db(request), placeOf(request, body), key, { values, base })
  })
  serve(app, dropDraft, async ({ body, request }) => {
    await drop(db(request), placeOf(request, body))
  })
  app.jobs.every({
    name: 'draft-purge',
    title: '清理草稿',
    seconds: 3600,
    work: () => dropOldDrafts(app),
  })
}

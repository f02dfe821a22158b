import type { FastifyInstance } from 'fastify'
import { commaList, idPattern } from '#engine'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { giveUpSignup, precheckSignup, removeSignups, submitSignup, withdrawSignup } from '../../contract.ts'
import { giveUp, removeOwn, withdraw } from '../leave.ts'
import { precheckFor } from '../precheck.ts'
import { submit } from '../submit.ts'
import { readForm } from './multipart.ts'

/** Most sign-ups removed at once. */
const most = 100

const known = new RegExp(idPattern)

/** Ids of a comma list. @throws input.invalid */
function idsOf(text: string): string[] {
  const ids = commaList(text)
  if (ids.length === 0 || ids.length > most || !ids.every(one => known.test(one)))
    throw refuse('input.invalid', { 说明: 'ids' })
  return ids
}

/** What candidates do with their own sign-ups: pre-check, save, hand in, take back, give up. */
export default function candidateRoutes(app: FastifyInstance): void {
  serve(app, submitSignup, async ({ body, request }) => submit(callerOf(app, request), body), readForm)
  serve(app, precheckSignup, async ({ body, request }) => precheckFor(callerOf(app, request), body))
  serve(app, withdrawSignup, async ({ body, request }) => {
    const { signStatus, version } = await withdraw({ ...callerOf(app, request), app }, body.id)
    return { signStatus, version }
  })
  serve(app, giveUpSignup, async ({ body, request }) => {
    const { signStatus, version } = await giveUp({ app, ...callerOf(app, request) }, body.id, body.reason ?? '')
    return { signStatus, version }
  })
  serve(app, removeSignups, async ({ query, request }) =>
    removeOwn({ app, ...callerOf(app, request) }, idsOf(query.ids)),
  )
}

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import {
  addSign,
  backTargets,
  backTask,
  cancelRun,
  continueRun,
  copies,
  delegateTask,
  readCopy,
  removeSign,
  resolveTask,
  retryRun,
  runDetail,
  setVariable,
  startForm,
  startRun,
  transferTask,
  unclaim,
  urge,
  withdrawTask,
} from '../../contract.ts'
import { beginRun } from '../begin.ts'
import { copyPage, markRead } from '../copy-list.ts'
import { correctVariable, continueRun as goOn, retryRun as tryAgain } from '../correct.ts'
import { detailOfRun, startFormOf } from '../detail.ts'
import * as office from '../office.ts'
import { unclaimTask } from '../tasks.ts'

const said = <T extends { comment?: string | undefined }>({ comment, ...rest }: T) => ({
  ...rest,
  comment: (comment ?? '').trim(),
})

/** Beginning any process, what people do with tasks besides deciding, and what managers put right. */
export function officeRoutes(app: FastifyInstance): void {
  serve(app, startForm, async ({ query, request }) => startFormOf(callerOf(app, request).db, query.processDefinitionId))
  serve(app, startRun, async ({ body, request }) => beginRun(app, request, body))
  serve(app, runDetail, async ({ query, request }) => detailOfRun(app, callerOf(app, request), query.processInstanceId))
  serve(app, unclaim, async ({ body, request }) => unclaimTask(callerOf(app, request), body.taskId))
  serve(app, backTargets, async ({ query, request }) => office.targetsOf(app, callerOf(app, request), query.taskId))
  serve(app, backTask, async ({ body, request }) =>
    office.backTask(app, callerOf(app, request), { ...said(body), direct: body.direct === true }),
  )
  serve(app, transferTask, async ({ body, request }) => office.transferTask(app, callerOf(app, request), said(body)))
  serve(app, delegateTask, async ({ body, request }) => office.delegateTask(app, callerOf(app, request), said(body)))
  serve(app, resolveTask, async ({ body, request }) => office.resolveTask(app, callerOf(app, request), said(body)))
  serve(app, addSign, async ({ body, request }) =>
    office.addSign(app, callerOf(app, request), {
      ...said(body),
      pass: body.pass !== false,
      variables: body.variables ?? {},
    }),
  )
  serve(app, removeSign, async ({ body, request }) => office.dropSign(app, callerOf(app, request), said(body)))
  serve(app, withdrawTask, async ({ body, request }) => office.withdrawTask(app, callerOf(app, request), said(body)))
  serve(app, cancelRun, async ({ body, request }) =>
    office.cancelRun(app, callerOf(app, request), { ...body, reason: body.reason.trim() }),
  )
  serve(app, urge, async ({ body, request }) => office.urgeRun(app, callerOf(app, request), body.processInstanceId))
  serve(app, copies, async ({ query, request }) => copyPage(app, person(request), query))
  serve(app, readCopy, async ({ body, request }) => markRead(callerOf(app, request), body.processInstanceId))
  serve(app, retryRun, async ({ body, request }) => tryAgain(app, callerOf(app, request), body.processInstanceId))
  serve(app, setVariable, async ({ body: { processInstanceId: id, name, value }, request }) =>
    correctVariable(app, callerOf(app, request), { id, name, value }),
  )
  serve(app, continueRun, async ({ body: { processInstanceId: id, activityId }, request }) =>
    goOn(app, callerOf(app, request), { id, activityId }),
  )
}

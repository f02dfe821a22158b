import type { FastifyInstance } from 'fastify'
import { confirmPassword } from '../../../platform/auth/server/second-password.ts'
import { person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { archiveMark, archiveWhole } from '../../exams/contract.ts'
import { examInScope } from '../../exams/server/routes/examination.ts'
import { archiveKey } from './contents.ts'
import { askFullArchive } from './rules.ts'
import { archiveWork, beginArchive, checkRoomFor } from './work.ts'

/** The whole archive of an exam: `/blade-exam/examination/archiveWhole`. */
export default async function archiveRoutes(app: FastifyInstance): Promise<void> {
  app.queue.add(archiveWork(app))
  serve(app, archiveMark, async () => ({ mark: archiveKey(app).mark }))
  serve(app, archiveWhole, async ({ body, request }) => {
    const me = person(request)
    const { sort, password, keyId } = body
    const reason = (body.reason ?? '').trim()
    const { id: examId } = await examInScope(request, body.id)
    const order = { examId, sort, reason }
    if (sort === 'full') {
      if (reason.length < 2)
        throw refuse('input.invalid', { 说明: '请填写导出用途' }, [{ field: 'reason', msg: '请填写导出用途' }])
      await confirmPassword(app, me, { ...(password && { password }), ...(keyId && { keyId }) })
    }
    await checkRoomFor(app, me, order)
    if (sort === 'full') {
      const by = { userId: me.userId, now: app.now() }
      return { taskId: null, waits: await askFullArchive(liveAs(app, me), order, by) }
    }
    return { taskId: await beginArchive(app, me, order), waits: null }
  })
}

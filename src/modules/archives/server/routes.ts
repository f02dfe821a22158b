import type { FastifyInstance } from 'fastify'
import { confirmPassword } from '../../../platform/auth/server/second-password.ts'
import { person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { archiveMark, archiveWhole } from '../../exams/contract.ts'
import { examInScope } from '../../exams/server/routes/examination.ts'
import { archiveKey } from './contents.ts'
import { archiveWork, askArchive } from './work.ts'

/** The whole archive of an exam: `/blade-exam/examination/archiveWhole`. */
export default async function archiveRoutes(app: FastifyInstance): Promise<void> {
  app.queue.add(archiveWork(app))
  serve(app, archiveMark, async () => ({ mark: archiveKey(app).mark }))
  serve(app, archiveWhole, async ({ body, request }) => {
    const me = person(request)
    const { sort, password, keyId } = body
    const reason = (body.reason ?? '').trim()
    const exam = await examInScope(request, body.id)
    if (sort === 'full') {
      if (reason.length < 2)
        throw refuse('input.invalid', { 说明: '请填写导出用途' }, [{ field: 'reason', msg: '请填写导出用途' }])
      await confirmPassword(app, me, { ...(password && { password }), ...(keyId && { keyId }) })
    }
    const taskId = await askArchive(app, me, { examId: exam.id, sort, reason }, exam.examName)
    return { taskId }
  })
}

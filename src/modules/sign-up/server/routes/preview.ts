import type { FastifyInstance } from 'fastify'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { examInScope, idOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { examFace } from '../exam-list.ts'

/** What candidates will meet of an exam, for whoever prepares it. */
export default async function previewRoutes(app: FastifyInstance): Promise<void> {
  app.get(
    '/api/blade-exam/examination/getPreview',
    { config: { access: { permission: 'examination_preview' } } },
    async request => {
      const exam = await examInScope(request, idOf(valuesOf(request)))
      return ok({ ...(await examFace(app.db, exam, app.now())), examStatus: exam.examStatus })
    },
  )
}

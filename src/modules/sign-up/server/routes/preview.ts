import type { FastifyInstance } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { examInScope, idOf } from '../../../exams/server/routes/examination.ts'
import { examPreview } from '../../contract.ts'
import { examFace } from '../exam-list.ts'

/** What candidates will meet of an exam, for whoever prepares it. */
export default async function previewRoutes(app: FastifyInstance): Promise<void> {
  serve(app, examPreview, async ({ values, request }) => {
    const exam = await examInScope(request, idOf(values))
    return { ...(await examFace(liveAs(app, person(request)), exam, app.now())), examStatus: exam.examStatus }
  })
}

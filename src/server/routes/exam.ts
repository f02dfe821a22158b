import type { FastifyPluginAsync } from 'fastify'
import { examinationRoutes } from './exam/examination.ts'
import { formRoutes } from './exam/form.ts'

/** `blade-exam`, as far as the exam administrator's work goes: release, closing, copying and the form. */
const examRoutes: FastifyPluginAsync = async app => {
  await examinationRoutes(app)
  await formRoutes(app)
}

export default examRoutes

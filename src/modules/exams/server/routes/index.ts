import type { FastifyPluginAsync } from 'fastify'
import { examinationRoutes } from './examination.ts'
import { formRoutes } from './form.ts'
import { staffRoutes } from './staff.ts'

/** `blade-exam`, as far as the exam administrator's work goes: release, closing, copying, the form and who works on it. */
const examRoutes: FastifyPluginAsync = async app => {
  await examinationRoutes(app)
  await formRoutes(app)
  await staffRoutes(app)
}

export default examRoutes

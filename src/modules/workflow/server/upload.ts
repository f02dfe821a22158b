import type { FastifyInstance, FastifyRequest } from 'fastify'
import { flow } from '#schemas/dictionaries'
import { advice } from '../../../platform/files/file-advice.ts'
import { person as callerOf } from '../../../platform/http/server/access.ts'
import { formOf } from '../../../platform/http/server/form.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readModel } from '../rules/read-model.ts'
import { aboutModel } from './deploy.ts'
import type { Source } from './flow-deploy.ts'
import { knownNow } from './known.ts'
import { deployTo, tenantsOf } from './manage.ts'

const ending = /\.bpmn20\.xml$/i

/** Key of dictionary `flow`. @throws input.invalid for any other */
export function categoryOf(text: string | undefined): number {
  if (!text || !Object.hasOwn(flow.entries, text)) throw refuse('input.invalid', { 说明: '请选择流程分类' })
  return Number(text)
}

/**
 * Deploys uploaded models, all of them or none.
 * @throws file.typeNotAllowed for other files than `.bpmn20.xml`, input.invalid for a model that cannot be carried out
 */
export async function deployUploaded(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  const { files, fields } = formOf(request)
  if (files.length === 0) throw refuse('input.invalid', { 说明: '请选择文件' })
  if (!files.every(file => ending.test(file.filename)))
    throw refuse('file.typeNotAllowed', { 做法: advice.exts(['bpmn20.xml']) })
  const category = categoryOf(fields.category)
  const me = callerOf(request)
  const tenants = await tenantsOf(app, me, fields.tenantIds)
  const sources: Source[] = []
  const known = await knownNow(app)
  for (const file of files) {
    const xml = (await file.bytes()).toString('utf8')
    sources.push({ ...(await aboutModel('files', () => readModel(xml, known))), xml, category })
  }
  await deployTo(app, me, tenants, sources, 'files')
}

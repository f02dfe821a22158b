import type { FastifyInstance, FastifyRequest } from 'fastify'
import { flow } from '#schemas/dictionaries'
import { person as callerOf } from '../../access.ts'
import type { Source } from '../../database/flow-deploy.ts'
import { advice } from '../../documents/file-advice.ts'
import { mostBpmn } from '../../domain/bpmn.ts'
import { readModel } from '../../domain/flow/model.ts'
import { refuse } from '../../domain/refusal.ts'
import { type FormRule, formOf } from '../../plugins/form.ts'
import { aboutModel } from './deploy.ts'
import { deployTo, tenantsOf } from './manage.ts'

/** Models that come at once. */
export const bpmnForm: FormRule = { files: 10, KB: mostBpmn / 1024, fields: 10, fieldKB: 2 }
const ending = /\.bpmn20\.xml$/i

/** Key of dictionary `flow`. @throws 29005 for any other */
export function categoryOf(text: string | undefined): number {
  if (!text || !Object.hasOwn(flow.entries, text)) throw refuse(29005, { 说明: '请选择流程分类' })
  return Number(text)
}

/**
 * Deploys uploaded models, all of them or none.
 * @throws 28001 for other files than `.bpmn20.xml`, 29005 for a model that cannot be carried out
 */
export async function deployUploaded(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  const { files, fields } = formOf(request)
  if (files.length === 0) throw refuse(29005, { 说明: '请选择文件' })
  if (!files.every(file => ending.test(file.filename))) throw refuse(28001, { 做法: advice.exts(['bpmn20.xml']) })
  const category = categoryOf(fields.category)
  const me = callerOf(request)
  const tenants = await tenantsOf(app, me, fields.tenantIds)
  const sources: Source[] = []
  for (const file of files) {
    const xml = (await file.bytes()).toString('utf8')
    sources.push({ ...(await aboutModel('files', () => readModel(xml))), xml, category })
  }
  await deployTo(app, me, tenants, sources, 'files')
}

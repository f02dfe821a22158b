import '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { flow } from '#schemas/dictionaries'
import { person as callerOf } from '../../access.ts'
import type { Source } from '../../database/flow-deploy.ts'
import { mostBpmn } from '../../domain/bpmn.ts'
import { readModel } from '../../domain/flow/model.ts'
import { refuse } from '../../domain/refusal.ts'
import { aboutModel } from './deploy.ts'
import { deployTo, tenantsOf } from './manage.ts'

const limits = { fileSize: mostBpmn, files: 10, fields: 10, fieldSize: 2000 }
const ending = /\.bpmn20\.xml$/i

/** Key of dictionary `flow`. @throws 29005 for any other */
export function categoryOf(text: string | undefined): number {
  if (!text || !Object.hasOwn(flow.entries, text)) throw refuse(29005, { 说明: '请选择流程分类' })
  return Number(text)
}

interface Parts {
  files: string[]
  fields: Record<string, string>
}

async function partsOf(request: FastifyRequest): Promise<Parts> {
  const found: Parts = { files: [], fields: {} }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') found.fields[part.fieldname] = String(part.value)
    else if (!ending.test(part.filename)) throw refuse(28001)
    else found.files.push((await part.toBuffer()).toString('utf8'))
  }
  return found
}

/**
 * Deploys uploaded models, all of them or none.
 * @throws 28001 for other files than `.bpmn20.xml`, 29005 for a model that cannot be carried out
 */
export async function deployUploaded(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) throw refuse(29005, { 说明: '请选择文件' })
  const { files, fields } = await partsOf(request)
  if (files.length === 0) throw refuse(29005, { 说明: '请选择文件' })
  const category = categoryOf(fields.category)
  const me = callerOf(request)
  const tenants = await tenantsOf(app, me, fields.tenantIds)
  const sources: Source[] = []
  for (const xml of files) sources.push({ ...(await aboutModel('files', () => readModel(xml))), xml, category })
  await deployTo(app, me, tenants, sources, 'files')
}

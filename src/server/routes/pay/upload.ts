import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../domain/refusal.ts'
import { textOf } from '../exam/examination.ts'

/** A file of a call with what stood beside it, in the form or in the address. */
export interface Uploaded {
  bytes: Buffer
  fields: Record<string, unknown>
  /** 1 takes all rows or none, 2 the good ones. */
  mode: 1 | 2
}

/** Largest sheet or bill, in bytes. */
const mostBytes = 10 * 1024 * 1024

/** Reads the one file of a call. @throws 28001 another ending, 28002 too large, 29005 none */
export async function uploadOf(request: FastifyRequest, ending: '.xlsx' | '.csv'): Promise<Uploaded> {
  if (!request.isMultipart()) throw refuse(29005, { 说明: '请选择文件' })
  const fields: Record<string, unknown> = { ...(request.query as Record<string, unknown>) }
  let bytes: Buffer | undefined
  for await (const part of request.parts({ limits: { fileSize: mostBytes, files: 1, fields: 20 } })) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (!part.filename.toLowerCase().endsWith(ending)) throw refuse(28001)
    bytes = await part.toBuffer().catch(() => undefined)
    if (!bytes || part.file.truncated) throw refuse(28002, { n: mostBytes / 1024 })
  }
  if (!bytes) throw refuse(29005, { 说明: '请选择文件' })
  return { bytes, fields, mode: textOf(fields, 'mode') === '2' ? 2 : 1 }
}

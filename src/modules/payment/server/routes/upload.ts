import type { FastifyRequest } from 'fastify'
import { ImportMode } from '#schemas/dictionaries'
import { oneFile } from '../../../../platform/http/server/form.ts'
import { textOf, valuesOf } from '../../../exams/server/routes/examination.ts'

/** A file of a call with what stood beside it, in the form or in the address. */
export interface Uploaded {
  bytes: Buffer
  fields: Record<string, unknown>
  /** 1 takes all rows or none, 2 the good ones. */
  mode: 1 | 2
}

/** The one file of a call. @throws file.typeNotAllowed another ending, input.invalid none */
export async function uploadOf(request: FastifyRequest, ending: '.csv'): Promise<Uploaded> {
  const fields = valuesOf(request)
  return {
    bytes: await oneFile(request, ending).bytes(),
    fields,
    mode: textOf(fields, 'mode') === '2' ? ImportMode.validRows : ImportMode.allOrNothing,
  }
}

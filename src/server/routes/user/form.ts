import type { FastifyRequest } from 'fastify'
import { type Picture, type PictureField, pictureFields } from '../../actions/user/pictures.ts'
import { refuse } from '../../domain/refusal.ts'

/** Everything a form about a person carries: fields of any kind, and pictures. @throws 28002 for a picture over 5 MB */
export async function readForm(request: FastifyRequest) {
  const fields: Record<string, string> = {}
  const files: Picture[] = []
  if (!request.isMultipart()) return { fields: (request.body ?? {}) as Record<string, string>, files }
  for await (const part of request.parts({ limits: { files: 3, fileSize: 5 * 1024 * 1024 } })) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value ?? '')
    else if (part.fieldname in pictureFields) {
      const bytes = await part.toBuffer().catch(() => {
        throw refuse(28002, { n: 5120 })
      })
      if (bytes.length > 0) files.push({ field: part.fieldname as PictureField, bytes, filename: part.filename })
    } else part.file.resume()
  }
  return { fields, files }
}

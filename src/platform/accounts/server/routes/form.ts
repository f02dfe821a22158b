import type { FastifyRequest } from 'fastify'
import { type FormRule, formOf } from '../../../http/server/form.ts'
import { type Picture, type PictureField, pictureFields } from '../pictures.ts'

/** A form about a person: fields of any kind, and pictures. */
export const personForm: FormRule = { files: 3, KB: 5 * 1024 }

/** Everything a form about a person carries; files that are no picture of a person are left out. */
export async function readForm(request: FastifyRequest) {
  const { fields, files } = formOf(request)
  const pictures: Picture[] = []
  for (const { field, filename, size, bytes } of files)
    if (field in pictureFields && size > 0)
      pictures.push({ field: field as PictureField, bytes: await bytes(), filename })
  return { fields, files: pictures }
}

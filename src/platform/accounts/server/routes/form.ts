import type { FastifyRequest } from 'fastify'
import { formOf } from '../../../http/server/form.ts'
import { type Picture, type PictureField, pictureFields } from '../pictures.ts'

/** Everything a form about a person carries; files that are no picture of a person are left out. */
export async function readForm(request: FastifyRequest) {
  const { fields, files } = formOf(request)
  const pictures: Picture[] = []
  for (const { field, filename, size, bytes } of files)
    if (field in pictureFields && size > 0)
      pictures.push({ field: field as PictureField, bytes: await bytes(), filename })
  return { fields, files: pictures }
}

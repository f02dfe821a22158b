import fp from 'fastify-plugin'
import { unstorableIn } from '../text-form.ts'
import { refuse } from './refusal.ts'

/** Refuses what holds, at any depth, a text that cannot be stored. @throws input.invalid naming the field */
function requireStorable(value: unknown): void {
  const field = unstorableIn(value)
  if (field === undefined) return
  const msg = `${field || '请求内容'}含有不能保存的字符，请删除后重新填写`
  throw refuse('input.invalid', { 说明: msg }, [{ field, msg }])
}

/**
 * Refuses requests with texts that the database cannot keep, NUL and halves of characters, wherever they stand: in the
 * address, in headers, in bodies, and in the fields and file names of forms. No handler ever meets one.
 */
export default fp(
  async app => {
    app.addHook('onRequest', async ({ query, params, headers }) => {
      for (const part of [query, params, headers]) requireStorable(part)
    })
    app.addHook('preValidation', async ({ body, form }) => {
      // A body that is one text belongs to a protocol that looks at it by itself.
      if (typeof body !== 'string') requireStorable(body)
      for (const { field, filename } of form?.files ?? []) requireStorable({ [field]: filename })
    })
  },
  { name: 'text form', dependencies: ['body'] },
)

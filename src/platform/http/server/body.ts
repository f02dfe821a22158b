import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import uploadLimit from '../../files/upload-limit.ts'
import form from './form.ts'
import { isTooDeep } from './json-depth.ts'
import { refuse } from './refusal.ts'

/**
 * Reads bodies as Blade's clients send them: JSON of 20 levels at most, also an empty one that is announced as JSON, forms and
 * uploads. Calls that carry everything in the address have no body at all.
 */
export default fp(
  async app => {
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (String(body).trim() === '') done(null, undefined)
      else if (isTooDeep(String(body))) done(refuse('input.invalid', { 说明: '内容层级过深' }))
      else parseJson(request, String(body), done)
    })
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(String(body))),
    )
    await app.register(uploadLimit)
    await app.register(form)
  },
  { name: 'body' },
)

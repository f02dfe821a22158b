import type { FastifyInstance } from 'fastify'
import { beginFactor, confirmFactor, type FactorProof, factorState, removeFactor } from '../../../auth/server/enrol.ts'
import { person } from '../../../http/server/access.ts'
import { ok } from '../../../http/server/envelope.ts'

const path = '/api/blade-system/user/second-factor'

const code = { type: 'string', title: '动态验证码', maxLength: 20, kind: 'secret' }
const proof = {
  type: 'object',
  required: ['password'],
  properties: {
    password: { type: 'string', title: '密码', minLength: 1, maxLength: 4096, kind: 'secret' },
    keyId: { type: 'string', title: '密钥', maxLength: 40 },
    value: code,
  },
}
const first = { type: 'object', required: ['value'], properties: { value: { ...code, minLength: 6 } } }

/** One's own second factor. Who must set one up may do so before anything else. */
export default async function factorRoutes(app: FastifyInstance): Promise<void> {
  const config = { access: 'signed-in', beforePasswordChange: true } as const
  const proved = { config, schema: { body: proof } }

  app.get(path, { config }, async request => ok(await factorState(app, person(request))))
  app.post<{ Body: FactorProof }>(`${path}/begin`, proved, async request =>
    ok(await beginFactor(app, person(request), request.body)),
  )
  app.post<{ Body: { value: string } }>(`${path}/confirm`, { config, schema: { body: first } }, async request =>
    ok(await confirmFactor(app, person(request), request.body.value)),
  )
  app.post<{ Body: FactorProof }>(`${path}/remove`, proved, async request => {
    await removeFactor(app, person(request), request.body)
    return ok()
  })
}

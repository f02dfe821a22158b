import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SessionBody } from '../../../http/contract.ts'
import { loginByCode } from '../oauth-code.ts'
import { browserKeyOf } from '../own-origin.ts'
import type { Tokens } from '../session.ts'
import { loginBySocial, type SocialAttempt } from '../social-login.ts'

type Around = Pick<SocialAttempt, 'client' | 'tenantId' | 'roleId' | 'deptId' | 'ip' | 'userAgent' | 'device'>

/**
 * Answers the grants that rest on a code: one of a provider elsewhere (`social`), one that a person gave a program here
 * (`authorization_code`); undefined for any other grant.
 * @param get reads a parameter of the call by any of its names
 */
export async function answerCode(
  app: FastifyInstance,
  request: FastifyRequest,
  { grant, get, around }: { grant: string; get: (...names: string[]) => string | undefined; around: Around },
): Promise<(SessionBody & { tokens: Tokens }) | undefined> {
  const code = get('code') ?? ''
  if (grant === 'social') {
    const [source = '', state = ''] = [get('source'), get('state')]
    const browserKey = browserKeyOf(request, state)
    return loginBySocial(app, { ...around, source, code, state, iss: get('iss'), browserKey })
  }
  if (grant !== 'authorization_code') return undefined
  const redirectUri = get('redirect_uri', 'redirectUri') ?? ''
  return loginByCode(app, { ...around, code, redirectUri, verifier: get('code_verifier', 'codeVerifier') })
}

import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { ownPath } from '../../../http/browser/own-path.ts'
import { isGuest, session, type TokenAnswer } from '../../../http/browser/session.ts'
import { keepReturnState, type ReturnState } from '../../../http/browser/sign-in-return.ts'
import { finishLink, token } from '../../contract.ts'

/** What became of a trip to a provider: somewhere to go on, somebody without an account, or why not. */
export type Outcome = { to: string } | { guest: TokenAnswer } | { problem: string }

/** What a provider put into the address. */
type Back = { source: string } & Partial<Record<'code' | 'state' | 'iss', string>>

const away = '第三方登录服务暂不可用，请稍后再试'

/** What our server and the provider say in the address when there is no code. */
const problems: Readonly<Record<string, string>> = {
  access_denied: '您已取消，没有登录',
  temporarily_unavailable: away,
  server_error: away,
  [REFUSAL.auth.providerUnavailable]: away,
  [REFUSAL.input.tooOften]: '操作过于频繁，请稍后再试',
}

/** Whether signing in goes on with a code of the app, which the sign-in page asks for. */
function factorTokenIn(error: unknown): string | undefined {
  const { factorToken } = (error instanceof ApiError && (error.data as { factorToken?: unknown } | null)) || {}
  return typeof factorToken === 'string' ? factorToken : undefined
}

async function signIn(back: Back, trip: ReturnState): Promise<Outcome> {
  const { tenantId } = trip
  const to = ownPath(trip.to)
  try {
    const headers = { 'Tenant-Id': tenantId, 'Blade-Auth': '' }
    const answer = await call(
      token,
      { grant_type: 'social', scope: 'all', tenantId, ...back },
      { headers, pass: 'all' },
    )
    if (isGuest(answer)) return { guest: answer }
    session.begin(answer)
    localStorage.setItem('juxian-last-type', String(answer.userType ?? 1))
    return { to }
  } catch (error) {
    const factorToken = factorTokenIn(error)
    if (!factorToken) throw error
    keepReturnState({ ...trip, factorToken })
    return { to: `/login?${new URLSearchParams({ redirect: to })}` }
  }
}

/**
 * Ends a trip with what the provider put into the address. Never throws.
 * @param query of the address
 */
export async function comeBack(
  source: string,
  query: URLSearchParams,
  trip: ReturnState | undefined,
): Promise<Outcome> {
  const error = query.get('error')
  if (error) return { problem: problems[error] ?? '第三方登录失败，请重新登录' }
  const back: Back = { source }
  for (const name of ['code', 'state', 'iss'] as const) if (query.has(name)) back[name] = query.get(name) ?? ''
  try {
    if (!trip?.links) return await signIn(back, trip ?? { to: '/', tenantId: '000000' })
    await call(finishLink, back, { pass: 'all' })
    return { to: ownPath(trip.to) }
  } catch (reason) {
    return { problem: reason instanceof ApiError ? reason.message : '网络不通，请检查网络后重试' }
  }
}

import { sm2 } from 'sm-crypto'
import { bearer, webClient } from './web-client.ts'

/** How a server is called. */
type Ask = (url: string, options?: { method: string; headers: Record<string, string> }) => Promise<Response>

/**
 * Signs in at a server in a process of its own that asks for no captcha, as pages do.
 * @param ask how it is called, when not directly
 * @returns headers for its calls
 * @throws with its answer when it refuses
 */
export async function signInAt(
  url: string,
  username: string,
  password: string,
  ask: Ask = fetch,
): Promise<Record<string, string>> {
  const auth = `${url}/api/blade-auth/oauth`
  const { data } = await (await ask(`${auth}/public-key`)).json()
  const query = new URLSearchParams({
    grant_type: 'password',
    username,
    password: sm2.doEncrypt(password, data.publicKey, 0),
  })
  const answer = await ask(`${auth}/token?${query}`, { method: 'POST', headers: { authorization: webClient } })
  const body = await answer.json()
  if (!body.access_token) throw new Error(`${username} could not sign in: ${JSON.stringify(body)}`)
  return bearer(body.access_token)
}

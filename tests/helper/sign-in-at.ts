import { sm2 } from 'sm-crypto'
import { bearer, webClient } from './web-client.ts'

/**
 * Signs in at a server in a process of its own that asks for no captcha, as pages do.
 * @returns headers for its calls
 * @throws with its answer when it refuses
 */
export async function signInAt(url: string, username: string, password: string): Promise<Record<string, string>> {
  const auth = `${url}/api/blade-auth/oauth`
  const { data } = await (await fetch(`${auth}/public-key`)).json()
  const query = new URLSearchParams({
    grant_type: 'password',
    username,
    password: sm2.doEncrypt(password, data.publicKey, 0),
  })
  const answer = await fetch(`${auth}/token?${query}`, { method: 'POST', headers: { authorization: webClient } })
  const body = await answer.json()
  if (!body.access_token) throw new Error(`${username} could not sign in: ${JSON.stringify(body)}`)
  return bearer(body.access_token)
}

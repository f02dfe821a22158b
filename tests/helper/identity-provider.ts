import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

/** A program of ours at the provider. */
export const registered = { client_id: 'juxian', client_secret: 'a-secret-of-forty-characters-for-the-tests' }

/** A real OpenID Connect provider on a random port of this machine. */
export interface IdentityProvider {
  issuer: string
  host: string
  /**
   * What a browser does there: goes to the address, signs in as a subject and agrees (or turns back), and follows until it is
   * sent elsewhere.
   * @returns the address the browser is sent to in the end
   */
  signIn(address: string, subject: string, isCancelled?: boolean): Promise<URL>
  close(): Promise<void>
}

/** What a browser without a screen remembers. */
type Jar = Map<string, string>

async function ask(jar: Jar, url: URL, form?: Record<string, string>): Promise<Response> {
  const cookie = [...jar].map(pair => pair.join('=')).join('; ')
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    method: form ? 'POST' : 'GET',
    ...(form && { body: new URLSearchParams(form) }),
  })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value) jar.set(name, value)
    else jar.delete(name)
  }
  return answer
}

/** Starts a provider that sends people back to `redirectUris` only. */
export async function identityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  const server = http.createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It says at length that it is made for another Node and that its keys are for trying out.
  const quiet = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn')].map(one => one.mockImplementation(() => {}))
  const { Provider } = await import('oidc-provider')
  const provider = new Provider(issuer, {
    clients: [{ ...registered, redirect_uris: redirectUris, grant_types: ['authorization_code'] }],
    claims: { openid: ['sub'], profile: ['nickname'] },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, nickname: `昵称${id}` }) }),
    cookies: { keys: ['for the tests'] },
  })
  server.on('request', provider.callback())
  const { host } = new URL(issuer)
  return {
    issuer,
    host,
    async signIn(address, subject, isCancelled = false) {
      const jar: Jar = new Map()
      let url = new URL(address)
      for (let hops = 0; hops < 12; hops++) {
        if (url.host !== host) return url
        const isAsked = url.pathname.startsWith('/interaction/')
        const page = await ask(jar, isAsked && isCancelled ? new URL(`${url.pathname}/abort`, issuer) : url)
        const text = await page.text()
        const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
        const next = prompt
          ? await ask(jar, url, { prompt, ...(prompt === 'login' && { login: subject, password: 'any' }) })
          : page
        const target = next.headers.get('location')
        if (!target) throw new Error(`${url.pathname} leads nowhere: ${next.status} ${text.slice(0, 300)}`)
        url = new URL(target, url)
      }
      throw new Error('The provider sends the browser in circles.')
    },
    close: async () => {
      for (const one of quiet) one.mockRestore()
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}

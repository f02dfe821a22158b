import type * as Oidc from 'openid-client'
import { guardedFetch, HostUnreachable } from './guarded-fetch.ts'

/** An identity provider as it is registered with us. */
export interface Provider {
  issuer: string
  clientId: string
  /** Empty for a program the provider gave no secret. */
  clientSecret: string
  scope: string
  /** Hosts that may be inside, and without TLS. */
  isListed: (host: string, port: string) => boolean
}

/** What must be known again when a person comes back. */
export interface Secrets {
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
}

/** Who a provider says somebody is. */
export interface Identity {
  issuer: string
  subject: string
  nickname: string | null
}

/** The library is loaded when somebody first signs in by a provider. */
const library = () => import('openid-client')

/** Seconds by which clocks may differ. */
const clockTolerance = 60

/** Shows the secret in the way the provider takes: in a header unless it only reads the body. */
const asWanted =
  (oidc: typeof Oidc, secret: string): Oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isHeader = methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    const show = isHeader ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return show(secret)(server, client, body, headers)
  }

/**
 * Asks a provider where its calls are.
 * @throws HostUnreachable when it does not answer, may not be asked, or says it is somebody else
 */
async function discover({ issuer, clientId, clientSecret, isListed }: Provider): Promise<Oidc.Configuration> {
  const oidc = await library()
  const fetch = guardedFetch(isListed)
  const { hostname, port, protocol } = new URL(issuer)
  const isPlain = protocol === 'http:' && isListed(hostname, port || '80')
  const auth = clientSecret ? asWanted(oidc, clientSecret) : oidc.None()
  try {
    return await oidc.discovery(new URL(issuer), clientId, { [oidc.clockTolerance]: clockTolerance }, auth, {
      // The signature of an id_token is checked although it comes straight from the provider.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
      [oidc.customFetch]: (address, options) => fetch(address, options),
      timeout: 10,
    })
  } catch (error) {
    throw new HostUnreachable(`discovery of ${issuer} failed`, error)
  }
}

/** Tries a provider; answers its issuer, and what it can that matters to us. @throws HostUnreachable */
export async function probe(provider: Provider): Promise<{ issuer: string; hasPkce: boolean }> {
  const metadata = (await discover(provider)).serverMetadata()
  if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
    throw new HostUnreachable('authorization_endpoint, token_endpoint or jwks_uri is missing')
  return { issuer: metadata.issuer, hasPkce: metadata.supportsPKCE() }
}

/** New secrets, and the address at the provider that a person is sent to. @throws HostUnreachable */
export async function begin(provider: Provider, redirectUri: string): Promise<Secrets & { address: string }> {
  const [oidc, configuration] = await Promise.all([library(), discover(provider)])
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  const address = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.scope,
    response_type: 'code',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { state, nonce, verifier, address: address.href }
}

/** Whether an error, or what it came from, is that a host could not be asked. */
export function isUnreachable(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof HostUnreachable) return true
  return false
}

/**
 * Exchanges what a person brought back for the person's identity: state, PKCE, nonce, signature, issuer and audience are verified.
 * @param back the address the person came back to, with all its parameters
 * @throws whatever does not fit; HostUnreachable somewhere in its causes when the provider does not answer
 */
export async function finish(provider: Provider, back: URL, { state, nonce, verifier }: Secrets): Promise<Identity> {
  const [oidc, configuration] = await Promise.all([library(), discover(provider)])
  const tokens = await oidc.authorizationCodeGrant(configuration, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('The provider sent no id_token.')
  const nickname = nameIn(claims) ?? nameIn(await profile(configuration, tokens.access_token, claims.sub))
  return { issuer: claims.iss, subject: claims.sub, nickname }
}

/** What the provider tells of a person besides who it is; nothing when it does not. */
async function profile(configuration: Oidc.Configuration, token: string, subject: string): Promise<object> {
  const { fetchUserInfo } = await library()
  return fetchUserInfo(configuration, token, subject).catch(() => ({}))
}

function nameIn(claims: object): string | null {
  const { nickname, name, preferred_username: login } = claims as Record<string, unknown>
  const found = [nickname, name, login].find(one => typeof one === 'string' && one.trim() !== '')
  return found === undefined ? null : String(found).trim().slice(0, 50)
}

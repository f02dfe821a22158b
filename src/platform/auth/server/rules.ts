import { client } from '#resources/system/client'
import { oauthSource } from '#resources/system/oauth-source'
import { rules } from '../../../crud/rules.ts'
import { clientHooks } from './client-hooks.ts'
import { oauthSourceHooks, probeProvider } from './oauth-source.ts'

/** Rules of clients and providers of sign-in beyond the definitions. */
export const authRules = [
  rules(client, { hooks: clientHooks }),
  rules(oauthSource, { hooks: oauthSourceHooks, handlers: { probe: probeProvider } }),
]

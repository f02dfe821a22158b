import { EnableStatus } from '#schemas/dictionaries'
import type { Seeding } from './tenant.ts'

const lifetimes = { accessTokenValidity: 3600, refreshTokenValidity: 604_800 }
const grants = 'refresh_token,password,captcha,sms_code,social'

/**
 * Programs that may ask for tokens. All of them run in browsers, where a secret is known to everyone: the captcha, not the
 * secret, keeps machines out. Our own page needs none.
 */
const clients = [
  { clientId: 'saber', secret: 'saber_secret' },
  { clientId: 'sword', secret: 'sword_secret' },
  { clientId: 'juxian-web', secret: '' },
]

/** The clients that are missing. */
export async function seedClients({ app, trx }: Seeding): Promise<void> {
  const found = await trx.selectFrom('client').select('clientId').execute()
  const missing = clients.filter(one => !found.some(row => row.clientId === one.clientId))
  if (missing.length === 0) return
  const rows = missing.map(({ clientId, secret }) => ({
    clientId,
    clientSecret: secret ? app.vault.hash('client', secret) : '',
    scope: 'all',
    authorizedGrantTypes: grants,
    clientStatus: EnableStatus.enabled,
    ...lifetimes,
    additionalInformation: JSON.stringify({ browser: true }),
  }))
  await trx.insertInto('client').values(rows).execute()
}

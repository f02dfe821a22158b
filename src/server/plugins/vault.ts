import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import { loadSecrets, readSecretKey, type Secrets } from '../database/secrets.ts'

/** Keeps personal texts unreadable in the database and findable by their exact value. */
export interface Vault {
  /** Encrypts a text: `v<version>:<base64 of iv, tag and cipher>`. */
  seal(text: string): string
  /** Decrypts what {@link seal} made, with any version of the key; throws when it was tampered with. */
  open(sealed: string): string
  /** The search hash of a text within a tenant: equal texts of one tenant have equal hashes. */
  hash(tenantId: string, text: string): string
}

declare module 'fastify' {
  interface FastifyInstance {
    secrets: Secrets
    vault: Vault
  }
}

/** Makes the vault from the installation's secrets. */
export function createVault(secrets: Secrets): Vault {
  const newest = secrets.version('vault')
  const keyOf = (version: number) => Buffer.from(secrets.get('vault', version), 'base64')
  const pepper = Buffer.from(secrets.get('pepper'), 'base64')
  const newestKey = keyOf(newest)
  return {
    seal(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newestKey, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v${newest}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
    },
    open(sealed) {
      const [, version, text] = /^v(\d+):(.+)$/.exec(sealed) ?? []
      if (!version || !text) throw new Error('This is no sealed text.')
      const bytes = Buffer.from(text, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(Number(version)), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    hash: (tenantId, text) => createHmac('sha256', pepper).update(`${tenantId}\n${text}`).digest('hex'),
  }
}

/** Decorates the app with its secrets and its vault. */
export default fp(
  async app => {
    const secretKey = app.config.secretKey ?? (await readSecretKey(app.config.dataDir))
    const secrets = await loadSecrets(app.pool, secretKey)
    app.decorate('secrets', secrets)
    app.decorate('vault', createVault(secrets))
  },
  { name: 'vault', dependencies: ['database'] },
)

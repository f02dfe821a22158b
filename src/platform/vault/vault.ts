import { createDecipheriv } from 'node:crypto'
import fp from 'fastify-plugin'
import { followKeys } from './key-follow.ts'
import { sealedText, sealWith, searchHash } from './sealing.ts'
import { loadSecrets, readSecretKey, type Secrets } from './secrets.ts'

/** Keeps personal texts unreadable in the database and findable by their exact value. */
export interface Vault {
  /** Encrypts a text with the version of the key that is in use: `v<version>:<base64 of iv, tag and cipher>`. */
  seal(text: string): string
  /** Decrypts what {@link seal} made, with any version of the key; throws when it was tampered with. */
  open(sealed: string): string
  /** As {@link seal}, for bytes of a file. */
  sealBytes(bytes: Uint8Array): Buffer
  /** As {@link open}, for what {@link sealBytes} made. */
  openBytes(sealed: Buffer): Buffer
  /** The search hash of a text within a tenant: equal texts of one tenant have equal hashes. */
  hash(tenantId: string, text: string): string
}

declare module 'fastify' {
  interface FastifyInstance {
    secrets: Secrets
    vault: Vault
  }
}

/**
 * Makes the vault from the installation's secrets.
 * @param unknown told of a text that is sealed with a newer version than this process uses
 */
export function createVault(secrets: Secrets, unknown: () => void = () => {}): Vault {
  const keyOf = (version: number) => Buffer.from(secrets.get('vault', version), 'base64')
  const pepper = Buffer.from(secrets.get('pepper'), 'base64')
  const opened = (version: number, body: Buffer): Buffer => {
    if (version > secrets.version('vault')) unknown()
    const decipher = createDecipheriv('aes-256-gcm', keyOf(version), body.subarray(0, 12))
    decipher.setAuthTag(body.subarray(12, 28))
    return Buffer.concat([decipher.update(body.subarray(28)), decipher.final()])
  }
  return {
    seal(text) {
      const version = secrets.version('vault')
      return sealedText(version, keyOf(version), text)
    },
    open(text) {
      const [, version, body] = /^v(\d+):(.+)$/.exec(text) ?? []
      if (!version || !body) throw new Error('This is no sealed text.')
      return opened(Number(version), Buffer.from(body, 'base64')).toString('utf8')
    },
    sealBytes(bytes) {
      const version = secrets.version('vault')
      return Buffer.concat([Buffer.from(`v${version}:`), sealWith(keyOf(version), bytes)])
    },
    openBytes(bytes) {
      const [head, version] = /^v(\d+):/.exec(bytes.subarray(0, 16).toString('latin1')) ?? []
      if (!head) throw new Error('These are no sealed bytes.')
      return opened(Number(version), bytes.subarray(head.length))
    },
    hash: (tenantId, text) => searchHash(pepper, tenantId, text),
  }
}

/** Decorates the app with its secrets and its vault, which follow the versions of the key while the server runs. */
export default fp(
  async app => {
    const secretKey = app.config.secretKey ?? (await readSecretKey(app.config.dataDir, app.pool))
    const secrets = await loadSecrets(app.pool, secretKey)
    app.decorate('secrets', secrets)
    let reading = false
    // A key is known before anybody uses it, while the connection holds by which keys are followed; else the next call opens.
    const reload = () => {
      if (reading) return
      reading = true
      const done = () => {
        reading = false
      }
      secrets.reload().then(done, done)
    }
    app.decorate('vault', createVault(secrets, reload))
    const stop = await followKeys(app.direct, secrets, err => app.log.warn({ err }, 'keys are not followed'))
    app.addHook('onClose', stop)
  },
  { name: 'vault', dependencies: ['database'] },
)

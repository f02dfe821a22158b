import { createECDH } from 'node:crypto'
import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rule-types.ts'

/** The public key that belongs to a private one; null when that is no key. */
function publicKeyOf(privateKey: string): string | null {
  try {
    const pair = createECDH('SM2')
    pair.setPrivateKey(privateKey, 'hex')
    return pair.getPublicKey('hex')
  } catch {
    return null
  }
}

/** A client's own key pair belongs together, and its private half is kept so that it can be used. */
export const clientHooks: Hooks = {
  async beforeSubmit({ app }, values, before) {
    const given = typeof values.privateKey === 'string' && values.privateKey ? values.privateKey.toLowerCase() : null
    const publicKey = values.publicKey === undefined ? before?.publicKey : values.publicKey
    // Without its public half the pair is given up.
    if (!publicKey) return { ...values, privateKey: null }
    const held = given ?? (before?.privateKey ? app.vault.open(String(before.privateKey)) : null)
    if (!held) throw wrongInput([{ field: 'privateKey', msg: '请同时填写SM2私钥' }])
    if (publicKeyOf(held) !== String(publicKey).toLowerCase())
      throw wrongInput([{ field: 'publicKey', msg: 'SM2公钥与私钥不成对' }])
    return given ? { ...values, privateKey: app.vault.seal(given) } : values
  },
}

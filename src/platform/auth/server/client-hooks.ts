import { createECDH } from 'node:crypto'
import type { Client } from '#schemas/system/client'
import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rules.ts'

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
export const clientHooks: Hooks<typeof Client> = {
  async beforeSubmit({ app, set }, values, before) {
    const given = values.privateKey ? values.privateKey.toLowerCase() : null
    const { publicKey } = { ...before, ...values }
    // Without its public half the pair is given up.
    if (!publicKey) return set({ privateKey: null })
    const held = given ?? (before?.privateKey ? app.vault.open(before.privateKey) : null)
    if (!held) throw wrongInput([{ field: 'privateKey', msg: '请同时填写SM2私钥' }])
    if (publicKeyOf(held) !== publicKey.toLowerCase())
      throw wrongInput([{ field: 'publicKey', msg: 'SM2公钥与私钥不成对' }])
    if (given) set({ privateKey: app.vault.seal(given) })
  },
}

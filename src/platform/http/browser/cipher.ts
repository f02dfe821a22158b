import { sm2 } from 'sm-crypto'

/** SM2 in the order C1C2C3, hex, without the leading 04: the form a Blade server reads. */
export const encrypt = (text: string, publicKey: string): string => sm2.doEncrypt(text, publicKey, 0)

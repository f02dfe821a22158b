/** The digits and letters of Crockford's base 32. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const bitsPerDigit = 5n
/** Bytes behind a receipt number: 40 random bits. */
export const receiptBytes = 5

/** A receipt number, `GS-XXXX-XXXX`. @param bytes {@link receiptBytes} random ones */
export function receiptOf(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let digits = ''
  for (let i = 0; i < (receiptBytes * 8) / Number(bitsPerDigit); i++) {
    digits = alphabet[Number(number & 31n)] + digits
    number >>= bitsPerDigit
  }
  return `GS-${digits.slice(0, 4)}-${digits.slice(4)}`
}

/** A receipt number as it was given out, read from what somebody typed: letters taken for digits, and digits for letters. Null for none. */
export function readReceipt(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/^GS(?=.{8}$)/, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const isWhole = plain.length === 8 && [...plain].every(letter => alphabet.includes(letter))
  return isWhole ? `GS-${plain.slice(0, 4)}-${plain.slice(4)}` : null
}

import { createECDH } from 'node:crypto'
import { sm2 } from 'sm-crypto'
import { describe, expect, it } from 'vitest'
import { sm2Reader } from './sm2.ts'

const privateKey = '6e20539b14cc2a8f609bcc090381b1096cb5ee701cbb328d11033c2f8a1830d9'
const publicKey =
  '0428700bd69a774b3c4dfd461957bc943cc0843505ab01653aaad1805c7dcaa84ce485898bc7d953c50653dc4648a612d9220f76b48eda5511542c63355fb47f7f'
const read = sm2Reader(privateKey)

/** A cipher text of `Juxian@2026` without a mark that begins with 04 all the same, as one in 256 does. */
const by04 =
  '047bdadc2ac92ce04d53677d9eebd8ac3825ec8e90bd4ce43196e4c8660d0401a359cced97db30b5c346126ff25534c74d92c3181c8ed042e8b926af102a1646083d8cd2079de6a7b01ae7f5399a0829966d8be8510e5a14700b4d27f2993472c6a06b2aee960c9b642011'

describe('sm2', () => {
  it('reads what the browser library writes, with and without the mark of an uncompressed point', () => {
    for (const text of ['a', 'Juxian@2026', '密码一二三', 'x'.repeat(100), 'secret\n1763600000000\nabc.def']) {
      const cipher = sm2.doEncrypt(text, publicKey, 0)
      expect(read(cipher)).toBe(text)
      expect(read(`04${cipher}`)).toBe(text)
      expect(read(cipher.toUpperCase())).toBe(text)
    }
  })

  it('14 · reads a text that begins with 04 by chance, in both forms', () => {
    expect(read(by04)).toBe('Juxian@2026')
    expect(read(`04${by04}`)).toBe('Juxian@2026')
  })

  it('answers null for everything that was not made for this key', () => {
    const cipher = sm2.doEncrypt('Juxian@2026', publicKey, 0)
    const other = createECDH('SM2').generateKeys('hex')
    const flipped = (at: number) => cipher.slice(0, at) + (cipher[at] === '0' ? '1' : '0') + cipher.slice(at + 1)
    const wrong = ['', '04', 'plain password', 'zz'.repeat(100), '0'.repeat(202), 'f'.repeat(202), cipher.slice(2)]
    wrong.push(sm2.doEncrypt('Juxian@2026', other, 0), sm2.doEncrypt('Juxian@2026', publicKey, 1))
    wrong.push(flipped(3), flipped(100), flipped(130), flipped(cipher.length - 1), 'a'.repeat(1_000_000))
    for (const one of wrong) expect(read(one)).toBeNull()
  })
})

import QRCode from 'qrcode'
import { describe, expect, it } from 'vitest'
import { nameMark, newTicketKeys, signTicket, verifyTicket } from '../server/ticket-code.ts'
import { ticketNumber } from './ticket-number.ts'
import { readTicketCode } from './ticket-payload.ts'

describe('ticketNumber', () => {
  const parts = { examCode: 'GL2026', stage: 1, typeCode: '02', room: 14, seat: 7 }
  it('joins its parts', () => {
    expect(ticketNumber(parts)).toBe('GL202610201407')
    expect(ticketNumber({ ...parts, issue: 2 })).toBe('GL202610201407-2')
  })

  it('never repeats for another seat, room or stage', () => {
    const numbers = new Set<string>()
    for (let stage = 1; stage <= 2; stage++)
      for (let room = 1; room <= 120; room++)
        for (let seat = 1; seat <= 40; seat++) numbers.add(ticketNumber({ ...parts, stage, room, seat }))
    expect(numbers.size).toBe(2 * 120 * 40)
  })

  it.each([{ stage: 0 }, { stage: 10 }, { room: 1000 }, { seat: 100 }, { seat: 1.5 }, { typeCode: '2' }])(
    'refuses %o',
    change => {
      expect(() => ticketNumber({ ...parts, ...change })).toThrow(RangeError)
    },
  )
})

describe('ticket code', () => {
  const { privateKey, publicKey } = newTicketKeys()
  const payload = {
    tenant: '000000',
    itemId: '1989123456789012345',
    ticketNo: 'GL202610201407',
    name: nameMark('𠮷田·木木', 'GL202610201407'),
    room: '014',
    seat: '07',
    start: 1_795_000_000,
    keyId: 'k1',
    issue: 1,
  }
  const code = signTicket(payload, privateKey)

  it('comes back as it was signed', () => {
    expect(verifyTicket(code, publicKey)).toEqual(payload)
    expect(readTicketCode(code)?.payload).toEqual(payload)
  })

  it('fits QR version 12 at level M as alphanumeric text', () => {
    expect(code).toMatch(/^[0-9A-Z $%*+\-./:]+$/)
    expect(QRCode.create(code, { errorCorrectionLevel: 'M' }).version).toBeLessThanOrEqual(12)
  })

  it('fails for every changed character', () => {
    for (let i = 0; i < code.length; i++) {
      const other = code[i] === '7' ? '8' : '7'
      expect(verifyTicket(code.slice(0, i) + other + code.slice(i + 1), publicKey)).toBeNull()
    }
  })

  it.each(['', 'JX1:', 'JX1:A', code.slice(0, -3), `${code}00`, code.toLowerCase(), 'https://example.org'])(
    'refuses %j',
    text => {
      expect(verifyTicket(text, publicKey)).toBeNull()
    },
  )

  it("fails with another exam's key", () => {
    expect(verifyTicket(code, newTicketKeys().publicKey)).toBeNull()
  })

  it('refuses a payload too long for the code', () => {
    expect(() => signTicket({ ...payload, room: 'x'.repeat(120) }, privateKey)).toThrow(RangeError)
  })

  it('binds the name to the ticket', () => {
    expect(nameMark('张三', 'A')).not.toBe(nameMark('张三', 'B'))
    expect(nameMark('张三', 'A')).toMatch(/^张/)
  })
})

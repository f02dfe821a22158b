import { expect, test } from 'vitest'
import {
  factorUri,
  isRequired,
  newFactorSecret,
  newRecoveryCodes,
  plainRecoveryCode,
  policyOf,
  stepOfCode,
} from './second-factor.ts'

test.each([
  [undefined, 'optional'],
  ['', 'optional'],
  [' Optional ', 'optional'],
  ['OFF', 'off'],
  ['required', 'required'],
  ['admin，finance, Chief', ['admin', 'finance', 'Chief']],
  ['auditor', ['auditor']],
])('the parameter %j asks for %j', (text, policy) => {
  expect(policyOf(text)).toEqual(policy)
})

test('a list of roles binds whoever has one of them', () => {
  expect(isRequired(['admin', 'finance'], ['reviewer', 'finance'])).toBe(true)
  expect(isRequired(['admin', 'finance'], ['reviewer'])).toBe(false)
  expect([isRequired('required', []), isRequired('optional', ['admin']), isRequired('off', ['admin'])]).toEqual([
    true,
    false,
    false,
  ])
})

test('codes are those of RFC 6238, in their step and its neighbours, newer than the last that served', () => {
  // The secret of the RFC's own table, 12345678901234567890; its codes of eight digits end like ours of six.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const at = (seconds: number) => new Date(seconds * 1000)
  expect(stepOfCode(secret, '287082', at(59), 0)).toBe(1)
  expect(stepOfCode(secret, '081804', at(1_111_111_109), 0)).toBe(37_037_036)
  const step = 37_037_036
  for (const [seconds, found] of [
    [step * 30 - 31, null],
    [step * 30 - 1, step],
    [step * 30 + 59, step],
    [step * 30 + 60, null],
  ] as const)
    expect(stepOfCode(secret, '081804', at(seconds), 0)).toBe(found)
  expect(stepOfCode(secret, '081804', at(1_111_111_109), step)).toBeNull()
  expect(stepOfCode(secret, '', at(59), 0)).toBeNull()
})

test('secrets and recovery codes are long enough, and recovery codes are compared however they were typed', () => {
  const secret = newFactorSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(factorUri(secret, 'admin', '聚贤')).toBe(
    `otpauth://totp/${encodeURIComponent('聚贤')}:admin?issuer=${encodeURIComponent('聚贤')}&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  const codes = newRecoveryCodes()
  expect(codes.join()).toMatch(/^([a-z2-9]{5}-[a-z2-9]{5},?){10}$/)
  expect(plainRecoveryCode(` ${codes[0]?.toUpperCase().replace('-', ' ')}`)).toBe(codes[0]?.replace('-', ''))
})
